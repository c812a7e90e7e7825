import type { paths } from './contract.types';

type Method = 'delete' | 'get' | 'patch' | 'post';

/** An endpoint of the interface: method and path in the notation of its description, such as `GET /users/{id}`. */
export type Endpoint = {
	[Path in keyof paths]: {
		[M in Method]: paths[Path][M] extends object ? `${Uppercase<M>} ${Path}` : never;
	}[Method];
}[keyof paths];

type Described<E extends Endpoint> = E extends `${infer M} ${infer Path extends keyof paths}`
	? paths[Path][Lowercase<M> & Method]
	: never;

/** The members that the interface names, without index signatures. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

type ContentOf<T> = T extends { content: infer C } ? C[keyof C] : never;

/** The body of an endpoint's request. */
export type Body<E extends Endpoint> =
	Described<E> extends { requestBody?: infer B } ? ContentOf<NonNullable<B>> : never;

/** The query of an endpoint. */
export type Query<E extends Endpoint> =
	Described<E> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;

/** The path parameters of an endpoint. */
export type PathPlace<E extends Endpoint> = E extends `${string}{${infer Place}}${infer Rest}`
	? Place | (Rest extends `${string}{${infer More}}${string}` ? More : never)
	: never;

type Success<E extends Endpoint> =
	Described<E> extends { responses: { 200: infer R } } ? ContentOf<R> : never;

type WithoutEnvelope<T> = T extends { data?: infer D } ? NonNullable<D> : T;

type RecordOf<T> = T extends ReadonlyArray<infer R> ? R : T;

/**
 * A record of an endpoint's response, or one record of its list. Its members have the names of the interface. Their
 * type is `unknown`, because a tenant may send other values.
 */
export type ResponseRecord<E extends Endpoint> = {
	[Member in keyof Named<RecordOf<WithoutEnvelope<Success<E>>>>]?: unknown;
};

type Member<T, Name extends string> = Name extends keyof Named<NonNullable<T>>
	? Exclude<Named<NonNullable<T>>[Name], undefined>
	: never;

/** The type of a member; `a.b` and `a.b.c` are nested members. It is `never` if the interface names no such member. */
export type At<T, Path extends string> = Path extends `${infer A}.${infer B}.${infer C}`
	? Member<Member<Member<T, A>, B>, C>
	: Path extends `${infer A}.${infer B}`
		? Member<Member<T, A>, B>
		: Member<T, Path>;
