import type { ServerResponse } from 'node:http';

import { endpointOf } from '../../contract/contract.mts';
import { BASE_PATH, type ServedTenant, type TenantRequest } from '../tenants/tenantServer.mts';

/** What the tenant refuses wherever it stands in a request. */
export const REFUSED = '404404';

/** So long the first item's request waits for the other one to overtake it. */
const HELD_MS = 1000;

const SET = /^\/(customers\/\d+\/users|profiles\/\d+\/(tags|groups)|media\/\d+\/tags)(\/\d+)?$/;

/** IDs as the tenant understands them: `007` is 7. */
const canonical = (path: string) => path.replace(/\/0+(?=\d)/g, '/');

/** Whether a request is for the record itself, not a look-up that all items share. */
const isOfRecord = ({ path }: TenantRequest) => path !== '/tags' && !path.startsWith('/support/');

/** A tenant that one request takes its time to reach, so that another overtakes it unless it waits for its turn. */
export class ItemsTenant implements ServedTenant {
	readonly log: string[] = [];

	readonly offences: string[] = [];

	/** Requests that wrote, in the order in which they were carried out: path and body. */
	readonly applied: string[] = [];

	/** IDs of what is attached, by the path of the set. */
	readonly sets = new Map<string, string[]>();

	private readonly deleted = new Set<string>();

	private hasHeld = false;

	private release = () => {};

	/** @param isLate whether a request takes its time, from its path and body; only one does */
	constructor(
		private readonly isLate: (text: string) => boolean = () => false,
		private readonly attached: string[] = ['1'],
	) {}

	setOf(path: string): string[] {
		return this.sets.get(path) ?? this.attached;
	}

	answer(request: TenantRequest, response: ServerResponse): void {
		const path = canonical(request.path);
		// What a read gives is settled when it arrives; a write is carried out when it has come through.
		const isRead = request.method === 'GET';
		const read = isRead ? this.carryOut({ ...request, path }) : undefined;
		const finish = () => {
			const [status, body] = read ?? this.carryOut({ ...request, path });
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		};
		const isOwn = isOfRecord(request);
		if (isOwn && !this.hasHeld && this.isLate(`${request.path} ${request.body}`)) {
			this.hasHeld = true;
			const timer = setTimeout(() => this.release(), HELD_MS);
			this.release = () => {
				clearTimeout(timer);
				this.release = () => {};
				finish();
			};
			return;
		}
		finish();
		if (isOwn) this.release();
	}

	private carryOut({ method, path, body }: TenantRequest): [status: number, body: unknown] {
		const text = `${path} ${body}`;
		if (text.includes(REFUSED)) return [422, { message: 'No such thing' }];
		if (method === 'GET') return [200, { data: this.subjectOf(path) }];
		this.applied.push(text);
		if (SET.test(path)) return this.write(method, path, body);
		if (method === 'DELETE') {
			if (this.deleted.has(path)) return [404, { message: 'It is gone' }];
			this.deleted.add(path);
			return [200, { data: [] }];
		}
		return [200, { data: this.subjectOf(path) }];
	}

	private write(method: string, path: string, body: string): [status: number, body: unknown] {
		const [, set = '', id] = /^(.*\/(?:users|tags|groups))(?:\/(\d+))?$/.exec(path) ?? [];
		const ids =
			method === 'DELETE'
				? this.setOf(set).filter((one) => one !== id)
				: (body.match(/\d+/g) ?? []).map((one) => String(Number(one)));
		this.sets.set(set, ids);
		return [200, { data: ids.map((one) => ({ id: Number(one), title: `Tag ${one}` })) }];
	}

	private subjectOf(path: string): unknown {
		if (path === '/tags') return [];
		if (SET.test(path)) return this.setOf(path).map((id) => ({ id: Number(id), title: `Tag ${id}` }));
		if (endpointOf('GET', `${BASE_PATH}${path}`)?.list) return [{ id: 7 }];
		if (path === '/customers/bulk-import') return { created_count: 1, updated_count: 0, skipped_count: 0 };
		return { id: 7, conversation_id: 7, status: 'created' };
	}
}
