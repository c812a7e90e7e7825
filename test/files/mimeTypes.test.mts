import type { IBinaryData } from 'n8n-workflow';

import { withType } from '../../nodes/CustomerMessaging/files/fileFields.ts';

const binary = (parts: Partial<IBinaryData>) => ({ data: '', ...parts }) as IBinaryData;

it.each<[Partial<IBinaryData>, name: string, type: string]>([
	[{ fileName: 'a.png', mimeType: 'image/x-own' }, 'a.png', 'image/x-own'],
	[{ fileName: 'A.PNG' }, 'A.PNG', 'image/png'],
	[{ fileName: 'a.b.pdf', mimeType: '' }, 'a.b.pdf', 'application/pdf'],
	[{ fileName: 'a.unknown', mimeType: '  ' }, 'a.unknown', 'application/octet-stream'],
	[{ fileName: 'Rechnung.pdf', mimeType: 'application/octet-stream' }, 'Rechnung.pdf', 'application/pdf'],
	[{ fileName: 'Rechnung.PDF', mimeType: ' Binary/Octet-Stream; x=1' }, 'Rechnung.PDF', 'application/pdf'],
	[{ fileName: 'a.mov', mimeType: 'binary/octet-stream' }, 'a.mov', 'video/quicktime'],
	[{ fileName: 'a.xyz', mimeType: 'binary/octet-stream' }, 'a.xyz', 'application/octet-stream'],
	[{ fileName: 'a.pdf', mimeType: 'application/octet-stream-x' }, 'a.pdf', 'application/octet-stream-x'],
	[{ fileName: 'constructor' }, 'constructor', 'application/octet-stream'],
	[{ fileName: 'png' }, 'png', 'image/png'],
	[{}, 'file', 'application/octet-stream'],
	[{ fileName: '', fileExtension: 'mp3' }, 'file.mp3', 'audio/mpeg'],
	[{ fileName: ' ', mimeType: 'image/png' }, 'file', 'image/png'],
	[{ fileName: null, fileExtension: null, mimeType: null } as never, 'file', 'application/octet-stream'],
])('%j has the name %s and the type %s', (parts, fileName, mimeType) => {
	expect(withType(binary(parts))).toMatchObject({ fileName, mimeType });
});
