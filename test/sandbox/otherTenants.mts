import { type Choices, VARIANTS } from '../../sandbox/choices.mts';

/** Whole tenants that differ from the sandbox as real ones may: all that it names, and others. */
export const OTHER_TENANTS: Record<string, Partial<Choices>> = {
	...VARIANTS,
	fractal: { envelope: 'meta-pagination', created: '201', pageSize: 'everywhere' },
	totals: { envelope: 'total', pageSize: '422' },
	'camel-case': { envelope: 'camel-case', errors: 'problem', deleted: '204' },
	proxied: { links: 'proxied', pageSize: 'everywhere' },
	'text-offset': {
		envelope: 'offset',
		ids: 'text',
		errors: 'problem',
		pageSize: 'ignored',
		orderBy: 'ignored',
	},
	'next-page-url': { envelope: 'next-page-url' },
};
