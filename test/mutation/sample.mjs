import { createHash } from 'node:crypto';
import path from 'node:path';

import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** A number from 0 to 1 that a mutant always gets by a seed, however StrykerJS numbers it, while its line stays as it is. */
function chance({ file, line, replacement }, seed) {
	const hash = createHash('sha256')
		.update(`${seed} ${path.basename(file)}:${line} ${replacement}`)
		.digest();
	return hash.readUInt32BE() / 2 ** 32;
}

/** So many of the mutants, chosen by a seed. */
export function sampleOf(mutants, size, seed) {
	return [...mutants].sort((a, b) => chance(a, seed) - chance(b, seed)).slice(0, size);
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
		const { MUTATED_SAMPLE: size, MUTATED_SEED: seed } = process.env;
		const sample = size ? sampleOf(places, Number(size), seed) : places;
		const chosen = new Set(sample.map(({ id }) => id));
		const leftOut = { status: 'compileError', reason: 'not in the sample' };
		return Object.fromEntries(mutants.map(({ id }) => [id, chosen.has(id) ? { status: 'passed' } : leftOut]));
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)];
