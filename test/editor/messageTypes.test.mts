import { OddTenant } from '../engine/oddTenant.mts';
import { editorOf } from '../engine/engine.mts';
import { TestTenant } from '../engine/tenant.mts';

const tenant = TestTenant.inEachTest();
const odd = OddTenant.inEachTest();

async function typesFor({ credentials }: Pick<TestTenant, 'credentials'>, filter?: string) {
	const parameters = { resource: 'message', operation: 'send', messageType: 'custom' };
	const { methods, context } = await editorOf({ parameters, credentials });
	const found = await methods.listSearch?.searchMessageTypes.call(context, filter);
	return found?.results.map(({ value }) => value);
}

it('the types of messages are those of the channels, each once', async () => {
	expect(await typesFor(tenant)).toEqual([
		...['audio', 'contact', 'document', 'image', 'location', 'template', 'text', 'video'],
	]);
	expect(await typesFor(tenant, ' TEM')).toEqual(['template']);
});

it.each([
	['channels', '/support/channels', '{"data": [{"message_type": ["riddle"]}, {}]}', ['riddle']],
	['none', '/nowhere', '', ['audio', 'contact', 'document', 'image', 'location', 'text', 'video']],
])('where the tenant tells %s', async (_where, path, text, expected) => {
	odd.answer(async (request, reply) =>
		request.url.endsWith(path) ? await reply.send(text) : await reply.code(403).send({}),
	);
	expect(await typesFor(odd)).toEqual(expected);
});
