// A hook of n8n (EXTERNAL_HOOK_FILES). n8n itself answers under every name, so that a web page whose name turns into 127.0.0.1
// could use it. This refuses all names but localhost and addresses.
import { isHostAllowed } from 'host-validation-middleware';

function checkNames({ server }) {
	const emit = server.emit.bind(server);
	server.emit = (event, request, ...rest) => {
		const isAsked = event === 'request' || event === 'upgrade';
		if (!isAsked || isHostAllowed(request.headers.host, [])) return emit(event, request, ...rest);
		if (event === 'request') rest[0].writeHead(403).end('n8n is not known under this name: use 127.0.0.1.');
		else request.destroy();
		return true;
	};
}

export const n8n = { ready: [checkNames] };
