import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROXIED_BASE } from '../choices.mts';
import { PREFIX } from '../contract.mts';
import { readWindow, wrap } from '../envelope.mts';
import { existing, notAttached } from '../refusal.mts';
import type { operations } from '../contract.types.mts';
import type { Slice, Window } from '../store/table.mts';
import type { Tenant } from '../tenant.mts';
import type { Customer } from './customer.mts';
import type { Profile } from './profile.mts';
import type { Bearer, User } from './user.mts';

/** The names of the endpoints in the contract. */
export type OperationId = keyof operations;

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** The members of an answer that the contract names; a record may have more. */
type Named<Value> =
	Value extends Array<infer Item>
		? Array<Named<Item>>
		: Value extends object
			? { [Name in keyof Value as string extends Name ? never : Name]: Named<Value[Name]> }
			: Value;

type ParamsOf<Id extends OperationId> = operations[Id]['parameters']['path'];
type QueryOf<Id extends OperationId> = operations[Id]['parameters']['query'];
type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: infer Body }
	? Json<Body>
	: undefined;
type AnswerOf<Id extends OperationId> =
	Json<operations[Id]['responses'][200]> extends infer Answer
		? Answer extends undefined
			? unknown
			: Named<Answer>
		: never;

/** One request to one operation: already authenticated, and validated against the contract. */
export class Call<Id extends OperationId> {
	constructor(
		readonly tenant: Tenant,
		readonly bearer: Bearer,
		readonly request: FastifyRequest,
		readonly reply: FastifyReply,
	) {}

	get store(): Tenant['store'] {
		return this.tenant.store;
	}

	get user(): User {
		return this.bearer.user;
	}

	get params(): ParamsOf<Id> {
		return this.request.params as ParamsOf<Id>;
	}

	get query(): NonNullable<QueryOf<Id>> {
		return this.request.query as NonNullable<QueryOf<Id>>;
	}

	get body(): BodyOf<Id> {
		return this.request.body as BodyOf<Id>;
	}

	/** Scheme and host that the client used: addresses in answers lead back the same way. */
	get origin(): string {
		const origin = `${this.request.protocol}://${this.request.host}`;
		return URL.canParse(origin) ? origin : 'http://127.0.0.1';
	}

	/** Answers one page of a list in the tenant's envelope. */
	page<Item>(list: (window: Window) => Slice<Item>) {
		const { envelope, links } = this.tenant.choices;
		const query = { ...(this.request.query as Record<string, unknown>) };
		if (!this.takesPageSize()) delete query.per_page;
		const window = readWindow(envelope, query, this.tenant.pageSize);
		const url = new URL(this.request.url, this.origin);
		const known = links === 'own' ? url : new URL(url.href.replace(`${url.origin}${PREFIX}`, PROXIED_BASE));
		return wrap(envelope, list(window), window, known);
	}

	/** @throws 404 without such a customer, 403 when the user is neither an admin nor attached to it. */
	customer(id: number): Customer {
		const customer = existing(this.store.customers.find(id), 'Customer');
		if (!this.user.is_admin && !this.store.customers.isAttached(this.user.id, id)) throw notAttached();
		return customer;
	}

	/** @throws 404 without such a profile, or when its customer is not one of the user's. */
	profile(id: number): Profile {
		return existing(this.store.profiles.find(id, this.user), 'Profile');
	}

	private takesPageSize(): boolean {
		const { pageSize } = this.tenant.choices;
		if (pageSize !== 'where-shown') return pageSize === 'everywhere';
		const schema = this.request.routeOptions.schema?.querystring as { properties?: object } | undefined;
		return schema?.properties !== undefined && 'per_page' in schema.properties;
	}
}

/** What an operation does with a request: it answers the JSON of status 200, or throws a Refusal. */
export type Operation<Id extends OperationId> = (call: Call<Id>) => AnswerOf<Id> | Promise<AnswerOf<Id>>;

/** Operations of one resource. */
export type Operations = { [Id in OperationId]?: Operation<Id> };

/** The answer to every delete. */
export const DELETED = { data: [] as never[] };
