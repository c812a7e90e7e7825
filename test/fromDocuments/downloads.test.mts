import { runNode } from '../engine/engine.mts';
import { RawServer } from '../engine/rawServer.mts';

const raw = RawServer.inEachTest();
let n = 0;

const NAMES: string[] = [
	'../../etc/passwd',
	'..\\..\\windows\\win.ini',
	'C:\\x\\y.txt',
	'C:evil.txt',
	'/abs',
	'.',
	'..',
	'...',
	' ',
	'',
	'\t',
	'con',
	'CON.txt',
	'NUL',
	'nul.tar.gz',
	'COM1.log',
	'lpt¹.txt',
	'aux.',
	'a.txt.',
	'a.txt ',
	'a:b',
	'file.txt::$DATA',
	'a*?<>|"b.txt',
	'.htaccess',
	'.bashrc',
	'~/.ssh/id',
	'-rf',
	'$(id)',
	'a\u202Etxt.exe',
	'a\u200fb\u2066c',
	'a\u0000.txt',
	'a\nb',
	'\u007f',
	'\u0085x',
	`${'x'.repeat(10_000)}.pdf`,
	'😀'.repeat(3000),
	'é'.repeat(300) + '.txt',
	'a'.repeat(254) + '😀.txt',
	'%2e%2e%2fpasswd',
	'..%5c..%5cx',
	'／etc／passwd',
	'ﬀ\u0301',
	'__proto__',
	'constructor',
	'\ufeffa.txt',
	'CON\u00a0.txt',
	'....//x',
	'a/.',
	'a/..',
	'a/',
	'\\',
	'/',
	'CONIN$',
	'clock$',
	'\u00ad',
	'\u200b',
	'\u3164',
	'x.\u200b',
	'. .',
	' .. ',
	'.\u0000.',
];
const HEADERS: string[] = [
	"attachment; filename*=UTF-8''..%2f..%2fetc%2fpasswd",
	"attachment; filename*=utf-16''%00a",
	"attachment; filename*=ISO-8859-1'en'%E4.txt",
	"attachment; filename*=UTF-8''%ff%fe",
	"attachment; filename*=UTF-8''%",
	"attachment; filename*=x''a%zz",
	"attachment; filename*='';filename=b.txt",
	"attachment; filename*=UTF-8''%E2%80%AEgpj.exe; filename=ok.jpg",
	'attachment; filename="a\\"b\\\\c.txt"',
	'attachment; filename="unclosed',
	'attachment; filename=',
	'attachment; filename==?UTF-8?B?Li4vLi4vcGFzc3dk?=',
	'filename=x',
	`attachment; ${'a=b; '.repeat(2000)}filename=x`,
	`attachment; filename="${'\\'.repeat(12_000)}`,
	`attachment; filename*0=a; filename*1=b`,
	'attachment; FILENAME="UP.TXT"',
	'attachment; filename="a"; filename="../b"',
	`attachment;${' '.repeat(13_000)}filename="x"`,
	`${'"'.repeat(13_001)}`,
	`attachment; filename*=UTF-8''${'%20'.repeat(4000)}`,
	`attachment; filename*=UTF-8''CON`,
	`attachment; filename*=UTF-8''%00`,
	"attachment; filename*=UTF-8''a%0d%0ab",
];

const check = (name: string | undefined, problems: string[]) => {
	if (name === undefined) return;
	if (/[/\\]/.test(name)) problems.push('separator');
	if (/^\.+$/.test(name) || name.trim() === '') problems.push('dots or empty');
	if (/\p{Cc}/u.test(name)) problems.push('control');
	if (/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(name)) problems.push('direction mark');
	if (/[<>:"|?*]/.test(name)) problems.push('windows char');
	if (/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|$)/i.test(name))
		problems.push('device');
	if (/[. ]$/.test(name)) problems.push('dot or space at the end');
	if (Buffer.byteLength(name) > 255) problems.push(`${Buffer.byteLength(name)} bytes`);
	if (!name.isWellFormed?.()) problems.push('lone surrogate');
};

const download = async (head: string, more: object = {}, path = 'a-uuid') => {
	raw.answer((socket) =>
		socket.end(
			Buffer.from(
				`HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 2\r\n${head}\r\nok`,
				'latin1',
			),
		),
	);
	const start = process.cpuUsage();
	const run = await runNode({
		parameters: {
			resource: 'file',
			operation: 'download',
			fileUuid: path,
			...more,
			requestLimits: { maximumTries: 1 },
		} as never,
		credentials: { tenantDomain: raw.url, accessToken: `tok-down-${++n}xx` },
	});
	return { run, cpu: process.cpuUsage(start).user / 1000 };
};

it.each(NAMES)('the name %.40j', async (name) => {
	const problems: string[] = [];
	const utf8 = Buffer.from(name.replace(/[\r\n\0]/g, '_').replace(/(["\\])/g, '\\$1'))
		.toString('latin1')
		.slice(0, 14_000);
	const heads = [
		`Content-Disposition: attachment; filename="${utf8}"\r\n`,
		...(name.isWellFormed() && name.length < 3000
			? [`Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name)}\r\n`]
			: []),
	];
	for (const head of heads.filter((one) => !/\p{Cc}/u.test(one.slice(0, -2).replaceAll('\t', '')))) {
		const { run } = await download(head);
		const binary = run.items[0]?.binary?.data;
		expect(run.error).toBeUndefined();
		check(binary?.fileName, problems);
	}
	const { run } = await download('', { options: { fileName: name } });
	const ofTyped: string[] = [];
	check(run.items[0]?.binary?.data?.fileName, ofTyped);
	// What a person types may hold signs that Windows refuses, and be long: n8n runs elsewhere too.
	const isOwn = (problem: string) => problem === 'windows char' || problem.endsWith(' bytes');
	expect([...problems, ...ofTyped.filter((problem) => !isOwn(problem))]).toEqual([]);
});

it.each(HEADERS)('the header %.60j', async (header) => {
	const { run, cpu } = await download(`Content-Disposition: ${header}\r\n`);
	const name = run.items[0]?.binary?.data?.fileName;
	const problems: string[] = [];
	check(name, problems);
	expect(problems).toEqual([]);
	expect(run.error).toBeUndefined();
	expect(cpu).toBeLessThan(500);
});

it.each(['__proto__', 'constructor', 'a.b'])('the binary property %j', async (property) => {
	await download('', { binaryPropertyName: property });
	expect(({} as { data?: unknown }).data).toBeUndefined();
});

it.each([
	'text/html; charset=x',
	'a'.repeat(10_000),
	'image/png\u0080',
	'../../x',
	'',
	'text/plain; name="../evil.sh"',
])('the type %.30j', async (type) => {
	raw.answer((socket) =>
		socket.end(
			Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: 2\r\n\r\nok`, 'latin1'),
		),
	);
	const run = await runNode({
		parameters: { resource: 'file', operation: 'download', fileUuid: 'a-uuid' },
		credentials: { tenantDomain: raw.url, accessToken: `tok-down-${++n}xx` },
	});
	const binary = run.items[0]?.binary?.data;
	expect(JSON.stringify(binary ?? {}).length).toBeLessThan(12_000);
});
