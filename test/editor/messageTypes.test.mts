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

it('a channel without types has none, and who may not read the channels is told', async () => {
	odd.answer(() => ({ data: [{ message_type: ['riddle'] }, {}] }));
	expect(await typesFor(odd)).toEqual(['riddle']);
	odd.answer(async (_request, reply) => await reply.code(403).send({}));
	await expect(typesFor(odd)).rejects.toThrow('may not do this');
});
