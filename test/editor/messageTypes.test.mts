import { OddTenant } from '../engine/oddTenant.mts';
import { editorOf } from '../engine/engine.mts';
import { TestTenant } from '../engine/tenant.mts';

/** Only what names the types of messages. */
const DESCRIPTION = `
openapi: 3.0.3
paths:
  /conversations/{id}/messages:
    post: {requestBody: {content: {application/json: {schema: {properties: {type: {
      oneOf: [{const: hologram, title: Hologram (3D)}, {const: text, title: Plain Text}, {enum: [riddle]}]}}}}}}}
`;

const tenant = TestTenant.inEachTest({ description: DESCRIPTION });
const odd = OddTenant.inEachTest();

async function typesFor({ credentials }: Pick<TestTenant, 'credentials'>, filter?: string) {
	const parameters = { resource: 'message', operation: 'send', messageType: 'custom' };
	const { methods, context } = await editorOf({ parameters, credentials });
	const found = await methods.listSearch?.searchMessageTypes.call(context, filter);
	return found?.results.map(({ name, value }) => (name === value ? value : [name, value]));
}

it('the types of messages are those of the description and of the channels, each once', async () => {
	expect(await typesFor(tenant)).toEqual([
		...['audio', 'contact', 'document', ['Hologram (3D)', 'hologram'], 'image', 'location'],
		...[['Plain Text', 'text'], 'riddle', 'template', 'video'],
	]);
	expect(await typesFor(tenant, ' holo')).toEqual([['Hologram (3D)', 'hologram']]);
});

it.each([
	['the description only', '/support/openapi', DESCRIPTION, ['hologram', 'text', 'riddle']],
	['the channels only', '/support/channels', '{"data": [{"message_type": ["riddle"]}, {}]}', ['riddle']],
	['neither', '/nowhere', '', ['audio', 'contact', 'document', 'image', 'location', 'text', 'video']],
])('where the tenant lists them in %s', async (_where, path, text, expected) => {
	odd.answer(async (request, reply) =>
		request.url.endsWith(path) ? await reply.send(text) : await reply.code(403).send({}),
	);
	expect((await typesFor(odd))?.map((type) => [type].flat().at(-1))).toEqual(expected);
});
