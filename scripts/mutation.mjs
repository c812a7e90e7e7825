// npm run test:mutation -- <folder> [--concurrency N]: changes the sources of a folder one place at a time and counts how
// many of these changes a test notices. Without a folder, all of them. What is left unnoticed is printed.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { folders } from '../test/mutation/folders.mjs';
import { checkInstalled, endWith, projectFolder, SetupProblem } from './installed.mjs';

const results = path.join(projectFolder, 'node_modules/.cache/mutation');
const equivalentsFile = path.join(projectFolder, 'test/mutation/equivalents.json');

/** How StrykerJS calls a mutant that a test noticed, and one that none did. */
const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

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
async function mutate(name, { concurrency }) {
	const { sample } = folders[name];
	const env = {
		...process.env,
		MUTATED_FOLDER: name,
		MUTATION_CONCURRENCY: concurrency,
		...(sample && { MUTATED_SAMPLE: String(sample) }),
	};
	const stryker = path.join(projectFolder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
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

/** The text that a mutant replaces. */
function replacedText(source, { start, end }) {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	return lines.join('\n');
}

/** Each mutant, with what tells it from others when lines move. */
function* mutantsOf({ files }) {
	for (const [file, { source, mutants }] of Object.entries(files)) {
		for (const { status, location, replacement = '' } of mutants) {
			if (status === 'Ignored') continue;
			yield {
				file,
				line: location.start.line,
				original: replacedText(source, location),
				replacement,
				status,
			};
		}
	}
}

/** Prints the figures of a folder. Returns whether its target is met. */
function report(name, mutants, equivalents) {
	const same = (one) => (other) =>
		other.file === one.file && other.original === one.original && other.replacement === one.replacement;
	// Each entry stands for one mutant, so that it hides no other one of the same text.
	const unused = [...equivalents];
	const isEquivalent = (one) => {
		const index = unused.findIndex(same(one));
		return index >= 0 && unused.splice(index, 1).length > 0;
	};
	const counted = mutants.filter((one) => NOTICED.includes(one.status) || !isEquivalent(one));
	const left = counted.filter(({ status }) => UNNOTICED.includes(status));
	const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 90);
	for (const { file, line, original, replacement, status } of left) {
		console.log(
			`${file}:${line}  ${status === 'NoCoverage' ? '(no test) ' : ''}${short(original)}  →  ${short(replacement)}`,
		);
	}
	const { target } = folders[name];
	const share = (100 * (counted.length - left.length)) / counted.length;
	console.log(
		`${name}: ${counted.length - left.length} of ${counted.length} mutants noticed, ${share.toFixed(1)} % (target ${target} %); ${mutants.length - counted.length} equivalent ones not counted.`,
	);
	return share >= target;
}

try {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { concurrency: { type: 'string', default: '2' } },
	});
	const names = positionals.length > 0 ? positionals : Object.keys(folders);
	const unknown = names.find((name) => !Object.hasOwn(folders, name));
	if (unknown !== undefined) {
		throw new SetupProblem(`"${unknown}" is no folder to mutate: name ${Object.keys(folders).join(', ')}.`);
	}
	checkInstalled();
	// StrykerJS has to be installed before this can be loaded.
	const { sampleOf } = await import('../test/mutation/sample.mjs');
	const equivalents = JSON.parse(readFileSync(equivalentsFile, 'utf8'));
	const missed = [];
	for (const name of names) {
		rmSync(path.join(results, `${name}.json`), { force: true });
		forgetOldResults(name);
		const all = [...mutantsOf(await mutate(name, values))];
		// Those that no test reaches are part of the sample too, although StrykerJS does not try them.
		const mutants = sampleOf(all, folders[name].sample ?? Infinity).filter(({ status }) =>
			[...NOTICED, ...UNNOTICED].includes(status),
		);
		if (!report(name, mutants, equivalents)) missed.push(name);
	}
	if (missed.length > 0) {
		throw new SetupProblem(
			`${missed.join(', ')}: too few mutants are noticed. Write a test for each one above, or list it with a reason in test/mutation/equivalents.json when no test can tell it from the original.`,
		);
	}
} catch (error) {
	endWith(error);
}
