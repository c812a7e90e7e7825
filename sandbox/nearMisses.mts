import { distance } from 'fastest-levenshtein';
import type { FastifyInstance } from 'fastify';
import { STATUS } from './choices.mts';
import { PREFIX } from './contract.mts';
import { Refusal } from './refusal.mts';

/** An endpoint, its parameters in braces. */
export interface Endpoint {
	method: string;
	path: string;
}

const MAX_NEAR_MISSES = 3;

/** Longer paths are no slips of the pen, and cost time to compare. */
const MAX_LENGTH = 200;

/** How much of an endpoint's path may differ, and how many characters of a short one. */
const MAX_SHARE = 0.35;
const MIN_CHARACTERS = 2;

/** What another method is worth, in characters of the path. */
const OTHER_METHOD = 1;

/** The parameters of a template with the values that a path has at their place, which is counted from the end. */
function filled(template: string, path: string): string {
	const parts = template.split('/');
	const values = path.split('/').slice(-parts.length);
	const ahead = parts.length - values.length;
	return parts
		.map((part, place) => (part.startsWith('{') && values[place - ahead] ? values[place - ahead] : part))
		.join('/');
}

/** What a path may stand for: the prefix of the interface is often forgotten, or another one is used. */
const readings = (path: string): string[] =>
	path.startsWith(PREFIX) ? [path] : [path, path.replace(/^(\/api)?(\/v\d+)?(?=\/)/, PREFIX)];

const mostOf = ({ path }: Endpoint) => Math.max(MIN_CHARACTERS, path.replace(PREFIX, '').length * MAX_SHARE);

/** Finds what was meant by requests that no endpoint answers. */
export class NearMisses {
	private readonly endpoints: Endpoint[] = [];

	/** Knows every route that is added from now on, but for the inbox. */
	watch(server: FastifyInstance): void {
		server.addHook('onRoute', ({ method, url }) => {
			if (url === '/' || /^(\/sandbox)?\/inbox\//.test(url)) return;
			const path = url.replace(/:(\w+)/g, '{$1}');
			for (const name of [method].flat()) if (name !== 'HEAD') this.endpoints.push({ method: name, path });
		});
	}

	/**
	 * The refusal of a request that no endpoint answers.
	 * @param whole its path without the query
	 */
	refuse(method: string, whole: string): Refusal {
		const path = whole.slice(0, MAX_LENGTH);
		const found = this.closest(method, path);

		const isOfInterface = path.startsWith(`${PREFIX}/`);
		const shown = (endpoint: Endpoint) =>
			`${endpoint.method} ${isOfInterface ? endpoint.path.replace(PREFIX, '') : endpoint.path}`;
		const best = found.filter(({ cost }) => cost === found[0].cost).map(({ endpoint }) => shown(endpoint));
		const question = best.length > 0 ? ` Did you mean ${best.join(' or ')}?` : '';
		return new Refusal(STATUS.notFound, `No such endpoint: ${shown({ method, path })}.${question}`);
	}

	private closest(method: string, path: string): Array<{ endpoint: Endpoint; cost: number }> {
		return this.endpoints
			.map((endpoint) => {
				const costs = readings(path).map((reading) => distance(reading, filled(endpoint.path, reading)));
				const differing = Math.min(...costs);
				return { endpoint, differing, cost: differing + (endpoint.method === method ? 0 : OTHER_METHOD) };
			})
			.filter(({ endpoint, differing }) => differing <= mostOf(endpoint))
			.sort((one, other) => one.cost - other.cost)
			.slice(0, MAX_NEAR_MISSES);
	}
}
