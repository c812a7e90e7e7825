import { StreamingForm } from '../../nodes/CustomerMessaging/n8nInternals/streamingForm.ts';
import { runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

const odd = OddTenant.inEachTest();

/** What arrives of an upload: its headers, and its body as text of single bytes. */
async function uploaded(fields: object): Promise<{ type: string; length: string; body: string }> {
	let arrived = { type: '', length: '', body: '' };
	odd.answer(({ headers, body }) => {
		arrived = {
			type: String(headers['content-type']),
			length: String(headers['content-length']),
			body: (body as Buffer).toString('latin1'),
		};
		return { internal_uuid: 'u' };
	});
	const data = { data: Buffer.from('content').toString('base64'), mimeType: 'text/plain', ...fields };
	await runNode({
		parameters: { resource: 'file', operation: 'upload', binaryPropertyName: 'data', type: 'document' },
		items: [{ json: {}, binary: { data } }],
		credentials: odd.credentials,
	});
	return arrived;
}

it('n8n sends a streaming form as multipart, with its length', async () => {
	const { type, length, body } = await uploaded({ fileName: 'a.txt' });
	if (/^multipart\/form-data; boundary=\S+$/.test(type) && Number(length) === body.length) return;
	throw new Error(
		`n8n does not take the package's form for one any more ("${type}"): look at how its axios tells a FormData, and mend n8nInternals/streamingForm.ts.`,
	);
});

it.each([
	['its name', { fileName: 'a b.png', fileExtension: 'jpg' }, 'filename="a b.png"'],
	['its extension', { fileExtension: 'png' }, 'filename="file.png"'],
	['nothing', {}, 'filename="file"'],
])('a file in it is called after %s', async (_what, fields, expected) => {
	expect((await uploaded(fields)).body).toContain(expected);
});

it('has the shape of the platform’s own form', () => {
	const form = new StreamingForm();
	form.append('a', '1');
	form.append('b', '2');
	expect(Object.prototype.toString.call(form)).toBe('[object FormData]');
	expect([...form]).toEqual([
		['a', '1'],
		['b', '2'],
	]);
	expect([...{ [Symbol.iterator]: () => form.entries() }]).toEqual([...form]);
});
