import { createHash } from 'node:crypto';
import path from 'node:path';

import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** The same mutants each time, however StrykerJS numbers them. */
const SEED = 'customer-messaging';

/** A number from 0 to 1 that a mutant always gets, as long as its file, its line and its replacement stay. */
function chance({ file, line, replacement }) {
	const hash = createHash('sha256')
		.update(`${SEED} ${path.basename(file)}:${line} ${replacement}`)
		.digest();
	return hash.readUInt32BE() / 2 ** 32;
}

/** So many of the mutants, chosen by a seed. */
export function sampleOf(mutants, size) {
	return [...mutants].sort((a, b) => chance(a) - chance(b)).slice(0, size);
}

/** Leaves out mutants that are not in the sample, where MUTATED_SAMPLE says how many there shall be. */
class Sample {
	async init() {}

	group(mutants) {
		return [mutants.map(({ id }) => id)];
	}

	async check(mutants) {
		const places = mutants.map(({ id, fileName, location, replacement }) => ({
			id,
			file: fileName,
			line: location.start.line + 1,
			replacement,
		}));
		const size = process.env.MUTATED_SAMPLE;
		const chosen = new Set(sampleOf(places, size ? Number(size) : Infinity).map(({ id }) => id));
		const leftOut = { status: 'compileError', reason: 'not in the sample' };
		return Object.fromEntries(mutants.map(({ id }) => [id, chosen.has(id) ? { status: 'passed' } : leftOut]));
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)];
