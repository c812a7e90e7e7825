import type { Choices } from '../../sandbox/choices.mts';

/** Tenants that differ from the sandbox as real ones may. */
export const OTHER_TENANTS: Record<string, Partial<Choices>> = {
	'text-ids': { ids: 'text', created: '201', deleted: '204' },
	headers: { envelope: 'headers', created: '201', deleted: '204', pageSize: 'everywhere' },
	'proxied-cursor': { envelope: 'cursor', links: 'proxied', created: '201', deleted: 'empty-body' },
	'text-offset': { envelope: 'offset', ids: 'text', pageSize: 'ignored', orderBy: 'ignored' },
	'next-page-url': { envelope: 'next-page-url' },
};
