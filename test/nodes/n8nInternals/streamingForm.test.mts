import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';

const odd = OddTenant.inEachTest();

it('n8n sends a streaming form as multipart, with its length', async () => {
	let arrived = '';
	odd.answer(({ headers, body }) => {
		arrived = `${String(headers['content-type'])} ${String(headers['content-length'])} ${String(body)}`;
		return { internal_uuid: 'u' };
	});
	await runNode({
		parameters: { resource: 'file', operation: 'upload', binaryPropertyName: 'data', type: 'document' },
		items: [
			{
				json: {},
				binary: {
					data: {
						data: Buffer.from('content').toString('base64'),
						mimeType: 'text/plain',
						fileName: 'a.txt',
					},
				},
			},
		],
		credentials: odd.credentials,
	});
	if (/^multipart\/form-data; boundary=\S+ \d+ [^]*content/.test(arrived)) return;
	throw new Error(
		`n8n does not take the package's form for one any more ("${arrived.slice(0, 80)}"): look at how its axios tells a FormData, and mend n8nInternals/streamingForm.ts.`,
	);
});
