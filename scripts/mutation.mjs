// npm run test:mutation -- <folder> [--concurrency N] [--sample N] [--seed S]: changes the sources of a folder one place at a time
// and counts how many of these changes a test notices. Without a folder, all of them. What is left unnoticed is printed. A sample
// is another one each time, unless its seed is given.
import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { installToolsIn } from './install.mjs';
import { checkInstalled, endWith, projectFolder, SetupProblem } from './installed.mjs';

/** Has a package.json of its own: StrykerJS, and mocha, whose runner keeps n8n's engine between mutants as jest's cannot. */
const TOOLS = 'test/mutation';

const results = path.join(projectFolder, 'node_modules/.cache/mutation');
const equivalentsFile = path.join(projectFolder, 'test/mutation/equivalents.json');

/**
 * Forgets what is known of the last run where a test has changed since: StrykerJS would go on calling code unnoticed that runs at
 * loading, whose tests it does not know.
 */
function forgetOldResults(name) {
	const known = path.join(results, `${name}.incremental.json`);
	if (!existsSync(known)) return;
	const { mtimeMs } = statSync(known);
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', 'test'];
	const tests = execFileSync('git', list, { cwd: projectFolder, encoding: 'utf8' }).split('\n');
	const isOld = tests.some((file) => {
		const found = file && statSync(path.join(projectFolder, file), { throwIfNoEntry: false });
		return found && found.mtimeMs > mtimeMs;
	});
	if (isOld) rmSync(known);
}

/** Runs StrykerJS, which shows its progress itself. */
async function mutate(name, { concurrency, sample, seed, share }) {
	const env = {
		...process.env,
		MUTATED_FOLDER: name,
		MUTATED_SHARE: String(share),
		MUTATION_CONCURRENCY: concurrency,
		...(sample !== undefined && { MUTATED_SAMPLE: String(sample), MUTATED_SEED: seed }),
	};
	const stryker = path.join(projectFolder, TOOLS, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const child = spawn(process.execPath, [stryker, 'run', 'test/mutation/stryker.config.mjs'], {
		cwd: projectFolder,
		env,
		stdio: 'inherit',
	});
	const code = await new Promise((resolve) => child.on('close', resolve));
	const report = path.join(results, `${name}.json`);
	if (code !== 0 || !existsSync(report)) {
		throw new SetupProblem(
			`StrykerJS ended with ${code} before the mutants of "${name}" were tried: its last lines say why; run \`npm test\` first, since all tests have to pass.`,
		);
	}
	return JSON.parse(readFileSync(report, 'utf8'));
}

const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 90);

/** Prints the figures of a folder. Returns whether its target is met. */
function report(name, { counted, unnoticed }, target) {
	const why = { NoCoverage: '(no test) ', Timeout: '(only waited for) ' };
	for (const { file, line, original, replacement, status } of unnoticed) {
		console.log(`${file}:${line}  ${why[status] ?? ''}${short(original)}  →  ${short(replacement)}`);
	}
	const noticed = counted - unnoticed.length;
	const share = (100 * noticed) / counted;
	console.log(
		`${name}: ${noticed} of ${counted} mutants noticed, ${share.toFixed(1)} % (target ${target} %); equivalent ones not counted.`,
	);
	return share >= target;
}

/** The options of the command, with a seed for each sample. */
function readOptions() {
	const whole = (text, flag) => {
		if (text === undefined || /^[1-9]\d*$/.test(text)) return text && Number(text);
		throw new SetupProblem(`${flag} must be a whole number from 1, not "${text}".`);
	};
	try {
		const { values, positionals } = parseArgs({
			allowPositionals: true,
			options: {
				concurrency: { type: 'string', default: '2' },
				sample: { type: 'string' },
				seed: { type: 'string', default: String(randomInt(1_000_000)) },
			},
		});
		return { ...values, sample: whole(values.sample, '--sample'), positionals };
	} catch (error) {
		if (error instanceof SetupProblem) throw error;
		throw new SetupProblem(error.message);
	}
}

try {
	checkInstalled();
	await installToolsIn(TOOLS);
	// StrykerJS and TypeScript's loader have to be installed before these can be loaded.
	const { tsImport } = await import('tsx/esm/api');
	const { folders } = await tsImport('../test/mutation/folders.mts', import.meta.url);
	const { mutantsOf, staleEntries, verdict } = await tsImport(
		'../test/mutation/verdict.mts',
		import.meta.url,
	);
	const { sampleOf } = await import('../test/mutation/sample.mjs');
	const { positionals, sample: wanted, ...options } = readOptions();
	const names = positionals.length > 0 ? positionals : Object.keys(folders);
	const unknown = names.find((name) => !Object.hasOwn(folders, name));
	if (unknown !== undefined) {
		throw new SetupProblem(`"${unknown}" is no folder to mutate: name ${Object.keys(folders).join(', ')}.`);
	}
	const equivalents = JSON.parse(readFileSync(equivalentsFile, 'utf8'));
	const problems = [];
	for (const name of names) {
		const sample = wanted ?? folders[name].sample;
		if (sample !== undefined) console.log(`${name}: a sample of ${sample} mutants (--seed ${options.seed})`);
		rmSync(path.join(results, `${name}.json`), { force: true });
		forgetOldResults(name);
		const all = mutantsOf(await mutate(name, { ...options, sample, share: folders[name].share }));
		// Those that no test reaches are part of the sample too, although StrykerJS does not try them.
		const mutants = sample === undefined ? all : sampleOf(all, sample, options.seed);
		if (!report(name, verdict(mutants, equivalents), folders[name].target)) {
			problems.push(
				`${name}: too few mutants are noticed. Write a test for each one above, or list it with a reason in test/mutation/equivalents.json when no test can tell it from the original.`,
			);
		}
		for (const { file, original, replacement } of staleEntries(all, equivalents)) {
			problems.push(
				`test/mutation/equivalents.json: take away ${short(original)}  →  ${short(replacement)} of ${file}, which has no such place any more.`,
			);
		}
	}
	if (problems.length > 0) throw new SetupProblem(problems.join('\n'));
} catch (error) {
	endWith(error);
}
