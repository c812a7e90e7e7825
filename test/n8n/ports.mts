import { createServer } from 'node:net';

/**
 * Ports that are asked for by number only. Those above are handed out to whoever asks for any port, and to every connection
 * that goes out (from 32768 on Linux): one that was free a moment ago may be taken before a server listens on it.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

const MAX_ATTEMPTS = 100;

/** Those that were given out: who asked for them may not listen yet. */
const givenOut = new Set<number>();

async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/** A TCP port of the loopback interface that nothing listens on, and that nobody is given by chance. */
export async function freePort(): Promise<number> {
	for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
		const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
		if (givenOut.has(port) || !(await isFree(port))) continue;
		givenOut.add(port);
		return port;
	}
	throw new Error(`None of ${MAX_ATTEMPTS} ports from ${FIRST_PORT} to ${LAST_PORT} is free`);
}
