import type { IDataObject } from 'n8n-workflow';

import type { ContractTenant } from './contractTenant.mts';
import { baseParameters, type Exchange, exchange, itemOf, type Values, writesOf } from './exchange.mts';
import { type Kind, kindOf, samplesOf } from './kinds.mts';
import { nameOf, type ShownOperation, type ShownParameter } from './shownParameters.mts';
import { firstDifference } from './valueMatrix.mts';

/** Where a value stands in a body, from the outside in. */
export type Place = string[];

/** A parameter that stands for one member of the body, wherever the node puts it. */
export interface Named {
	parameter: ShownParameter;
	way: Values;
	place: Place;
	/** A value as it is typed and as it goes out, and another as it would go out. */
	typed: unknown;
	sent: unknown;
	other: unknown;
}

/** A parameter that takes members by any name: a JSON object, or rows of names and values. */
export interface Carrier {
	/** The JSON, or the name in a row. */
	parameter: ShownParameter;
	/** The value in a row. */
	value?: ShownParameter;
	way: Values;
	/** What the members stand in. */
	place: Place;
	/** Whether its description says that it wins over a parameter that stands for the same member. */
	wins: boolean | undefined;
}

/** A member that no parameter stands for. */
export const FREE_MEMBER = 'omega_member';

/** Parameters that end in the same place, and what has to come of it. */
export interface Meeting {
	name: string;
	run: () => Promise<Exchange>;
	/** Whether that may go out. */
	allows: (body: unknown, one: Exchange) => boolean;
	/** Names of the parameters, of which an error has to say one; without them there must be no error. */
	labels?: string[];
}

/** The names under which a person sees a parameter. */
export const labelsOf = ({ property, within }: ShownParameter): string[] =>
	[property, ...within].map(({ displayName }) => displayName);

/** Whether two bodies say the same, in whatever order. */
export const isSame = (a: unknown, b: unknown) => firstDifference(a, b) === undefined;

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at a place; undefined where there is nothing. */
export function at(body: unknown, place: Place): unknown {
	return place.reduce<unknown>(
		(value, name) => (typeof value === 'object' && value !== null ? (value as IDataObject)[name] : undefined),
		body,
	);
}

/** A body in which something else stands at a place; undefined takes the member out. */
export function withValue(body: unknown, [name, ...inner]: Place, value: unknown): unknown {
	const members: IDataObject = isObject(body) ? { ...body } : {};
	members[name] = (
		inner.length === 0 ? value : withValue(members[name], inner, value)
	) as IDataObject[string];
	return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}

/** The body of the last write. */
export const bodyOf = (one: Exchange): unknown => writesOf(one).at(-1)?.body;

/** Both ways together; undefined where they ask for different choices. */
function together(a: Values, b: Values): Values | undefined {
	return Object.entries(a).some(([path, value]) => path in b && b[path] !== value)
		? undefined
		: { ...a, ...b };
}

/** What descriptions say of which parameter wins. */
const PRECEDENCE: Array<[said: RegExp, wins: boolean]> = [
	[/they win over those above/, true],
	[/above wins over one here/, false],
	[/^More members of|^The members of the request besides/, false],
];

/** Whether what a carrier holds wins, by its own description or that of what it stands in. */
function winsAsDescribed({ property, within }: ShownParameter): boolean | undefined {
	const descriptions = [property, ...within].map(({ description = '' }) => description);
	return PRECEDENCE.find(([words]) => descriptions.some((text) => words.test(text)))?.[1];
}

/** Parameters that choose what else is shown, or stand for a file, are no members themselves. */
const NO_MEMBERS: Kind[] = ['binary field', 'choice', 'notice'];

/** The parameters of one operation that meet in the body of its request. */
export class MeetingParameters {
	readonly named: Named[] = [];

	readonly carriers: Carrier[] = [];

	constructor(
		private readonly tenant: ContractTenant,
		private readonly operation: ShownOperation,
		private readonly shown: ShownParameter[],
	) {}

	/** Finds out where each parameter ends. */
	async find(): Promise<this> {
		const found = await Promise.all(
			this.shown.map(async (parameter) => {
				const kind = kindOf(parameter);
				const [outermost = parameter.property] = parameter.within;
				if (NO_MEMBERS.includes(kind) || outermost.displayOptions === undefined) return undefined;
				const isMember = parameter.within.at(-1)?.type === 'resourceMapper';
				if (kind === 'JSON object' && !isMember) return await this.carrierOf(parameter);
				const value = this.valueBeside(parameter);
				if (kind === 'key' && value) return await this.carrierOf(parameter, value);
				// What stands in a row is looked at with its row.
				if (parameter.within.at(-1)?.type === 'fixedCollection') return undefined;
				return await this.namedOf(parameter);
			}),
		);
		for (const one of found) {
			if (one && 'wins' in one) this.carriers.push(one);
			else if (one) this.named.push(one);
		}
		return this;
	}

	/** The value in the same row as a name. */
	private valueBeside({ path, within }: ShownParameter): ShownParameter | undefined {
		if (within.at(-1)?.type !== 'fixedCollection') return undefined;
		const row = path.slice(0, path.lastIndexOf('.') + 1);
		return this.shown.find((other) => other.path === `${row}value`);
	}

	private async carrierOf(parameter: ShownParameter, value?: ShownParameter): Promise<Carrier | undefined> {
		const [way] = parameter.shownBy;
		const carrier: Carrier = { parameter, value, way, place: [], wins: winsAsDescribed(parameter) };
		const body = bodyOf(await this.run(way, [], carrier, { [FREE_MEMBER]: 'Omega' }));
		const placeIn = (members: unknown): Place | undefined => {
			if (!isObject(members)) return undefined;
			if (FREE_MEMBER in members) return [];
			for (const [name, member] of Object.entries(members)) {
				const inner = placeIn(member);
				if (inner) return [name, ...inner];
			}
			return undefined;
		};
		const place = placeIn(body);
		return place && { ...carrier, place };
	}

	private async namedOf(parameter: ShownParameter): Promise<Named | undefined> {
		const [way] = parameter.shownBy;
		const [typed, otherwise] = samplesOf(parameter);
		const run = async (value: unknown) => bodyOf(await this.run(way, [[parameter, value]]));
		const body = await run(typed);
		if (!isObject(body)) return undefined;
		const otherBody = await run(otherwise);
		const place = firstDifference(body, otherBody)?.path.split('/').slice(1);
		// What is a record or a list is one value, whichever of its members differs.
		if (kindOf(parameter).startsWith('JSON')) place?.splice(place.indexOf(parameter.property.name) + 1);
		if (!place || place.some((name) => /^\d+$/.test(name))) return undefined;
		return { parameter, way, place, typed, sent: at(body, place), other: at(otherBody, place) };
	}

	/** Runs the operation with these parameters, and members that a carrier holds. */
	private async run(
		way: Values,
		typed: Array<[ShownParameter, unknown]>,
		carrier?: Carrier,
		members: object = {},
	): Promise<Exchange> {
		const values: Values = { ...way, ...Object.fromEntries(typed.map(([{ path }, value]) => [path, value])) };
		const item: IDataObject = {};
		this.fill(values, item, carrier, members);
		const [tested] = [typed[0]?.[0], carrier?.parameter].flatMap((one) => one ?? []);
		const { [tested.path]: value, ...chosen } = values;
		const parameters = baseParameters(this.operation, this.shown, tested, value, chosen);
		return await exchange(this.tenant, parameters.values, [itemOf(item)]);
	}

	/** Puts members into a carrier; the value of a row comes from the item, so that it keeps its type. */
	private fill(values: Values, item: IDataObject, carrier: Carrier | undefined, members: object): void {
		if (!carrier) return;
		if (!carrier.value) {
			values[carrier.parameter.path] = JSON.stringify(members);
			return;
		}
		for (const [name, member] of Object.entries(members)) {
			values[carrier.parameter.path] = name;
			values[carrier.value.path] = '={{ $json.member }}';
			item.member = member as IDataObject[string];
		}
	}

	/** All meetings of two parameters, by the operation and both of their paths. */
	async meetings(): Promise<Meeting[]> {
		const made = await Promise.all([
			...this.named.flatMap((named) =>
				this.carriers.map(async (carrier) => await this.inCarrier(named, carrier)),
			),
			...this.named.flatMap((one, index) =>
				this.named.slice(index + 1).map(async (other) => await this.ofNamed(one, other)),
			),
			...this.carriers.flatMap((one, index) =>
				this.carriers.slice(index + 1).map(async (other) => await this.ofCarriers(one, other)),
			),
		]);
		return made.flat();
	}

	private nameFor(one: ShownParameter, other: ShownParameter, what = ''): string {
		return `${nameOf(this.operation)} ${one.path} + ${other.path}${what}`;
	}

	/** What a carrier holds for the member that a parameter stands for, and for one beside it. */
	private async inCarrier(named: Named, carrier: Carrier): Promise<Meeting[]> {
		const way = together(named.way, carrier.way);
		const isInside = carrier.place.every((name, index) => named.place[index] === name);
		if (!way || !isInside || named.place.length <= carrier.place.length) return [];
		const { parameter, place, typed, sent, other } = named;
		const inside = place.slice(carrier.place.length);
		const run = async (members: unknown) =>
			await this.run(way, [[parameter, typed]], carrier, members as object);
		if (carrier.wins === undefined) throw new Error(`${carrier.parameter.path} does not say whether it wins`);
		const free = bodyOf(await run({ [FREE_MEMBER]: 'Omega' }));
		const alone = withValue(free, [...carrier.place, FREE_MEMBER], undefined);
		const labels = [...labelsOf(parameter), ...labelsOf(carrier.parameter)];
		const meeting = (what: string, members: unknown, expected: unknown): Meeting => ({
			name: this.nameFor(parameter, carrier.parameter, what),
			run: async () => await run(members),
			allows: (body) => isSame(body, expected),
			labels,
		});
		const winner = withValue(alone, place, carrier.wins ? other : sent);
		const beside = [...inside.slice(0, -1), FREE_MEMBER];
		const withBoth = withValue(alone, [...carrier.place, ...beside], 'Sigma');
		return [
			meeting('', withValue({}, inside, other), winner),
			...(inside.length > 1 ? [meeting(' (beside it)', withValue({}, beside, 'Sigma'), withBoth)] : []),
		];
	}

	/** Two parameters for one member, or for two members of one record in the body. */
	private async ofNamed(one: Named, other: Named): Promise<Meeting[]> {
		const way = together(one.way, other.way);
		const [place, otherPlace] = [one.place.join('/'), other.place.join('/')];
		const isShared =
			place === otherPlace ||
			(one.place.length > 1 && one.place.slice(0, -1).join('/') === other.place.slice(0, -1).join('/'));
		if (!way || !isShared) return [];
		const alone = bodyOf(await this.run(way, [[one.parameter, one.typed]]));
		const [, otherTyped] = samplesOf(other.parameter);
		return [
			{
				name: this.nameFor(one.parameter, other.parameter),
				run: async () =>
					await this.run(way, [
						[one.parameter, one.typed],
						[other.parameter, otherTyped],
					]),
				// Of two for one member, the one that the tenant describes goes out.
				allows: (body) => isSame(body, withValue(alone, other.place, other.other)),
				labels: [...labelsOf(one.parameter), ...labelsOf(other.parameter)],
			},
		];
	}

	/** Two carriers that hold the same member. */
	private async ofCarriers(one: Carrier, other: Carrier): Promise<Meeting[]> {
		const way = together(one.way, other.way);
		if (!way || one.place.join('/') !== other.place.join('/')) return [];
		const loser = [one, other].find(({ wins }) => wins === false);
		const winner = [one, other].find(({ wins }) => wins !== false);
		if (!loser || !winner) throw new Error(`${one.parameter.path} does not say whether it wins`);
		const values: Values = {};
		this.fill(values, {}, loser, { [FREE_MEMBER]: 'Sigma' });
		const alone = bodyOf(await this.run(way, [], winner, { [FREE_MEMBER]: 'Omega' }));
		return [
			{
				name: this.nameFor(one.parameter, other.parameter),
				run: async () => await this.run({ ...way, ...values }, [], winner, { [FREE_MEMBER]: 'Omega' }),
				allows: (body) => isSame(body, alone),
				labels: [...labelsOf(one.parameter), ...labelsOf(other.parameter)],
			},
		];
	}
}
