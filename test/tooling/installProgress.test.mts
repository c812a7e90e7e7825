import path from 'node:path';
import { pathToFileURL } from 'node:url';

const module = pathToFileURL(path.resolve(import.meta.dirname, '../../scripts/progress.mjs')).href;

/** What is said for each share of the packages and the seconds until then. */
async function said(moments: Array<[share: number, seconds: number]>): Promise<string[]> {
	const { execa } = await import('execa');
	const script = `import { installProgress } from ${JSON.stringify(module)};
		const say = installProgress();
		console.log(JSON.stringify(${JSON.stringify(moments)}.map(([share, seconds]) => say(share, seconds))));`;
	const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script]);
	return JSON.parse(stdout) as string[];
}

it('guesses nothing before the first packages', async () => {
	expect(await said([[0.05, 30]])).toEqual(['30 s: 5 % of the packages']);
});

it('counts down while no package comes, and says no more than the time when the guess was too short', async () => {
	const stuck: Array<[number, number]> = [100, 110, 120, 1000].map((seconds) => [0.9, seconds]);
	expect(await said(stuck)).toEqual([
		'100 s: 90 % of the packages, about 70 s left',
		'110 s: 90 % of the packages, about 60 s left',
		'120 s: 90 % of the packages, about 50 s left',
		'1000 s: 90 % of the packages',
	]);
});

it('knows that npm is not done with the last package', async () => {
	expect(await said([[1, 85]])).toEqual([
		'85 s: all packages are there, npm completes them, about 20 s left',
	]);
});
