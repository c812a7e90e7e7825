import { randomBytes, randomInt } from 'node:crypto';
import { FormData } from 'undici';
import { unwrapped } from '../../nodes/CustomerMessaging/transport/responseBody.ts';
import { isObject } from '../../nodes/CustomerMessaging/values/json.ts';
import type { Exchange } from './exchange.mts';
import type { Findings } from './findings.mts';
import { ReportProblem, Unanswered } from './problem.mts';
import { recordsOf } from './recognition.mts';
import { statusText } from './rules.mts';
import type { Question, TenantClient } from './tenantClient.mts';

/** The outcome of a write that nobody knows. */
class Unclear extends ReportProblem {}

/** One transparent pixel. */
const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
	'base64',
);

/** Phone numbers that belong to nobody: the range that is reserved for films. */
const anyNumber = () => `447700900${String(randomInt(1000)).padStart(3, '0')}`;

const MOST_NUMBERS = 3;

/** A kind of record that the check creates. */
interface Kind {
	what: 'customer' | 'group' | 'media item' | 'tag';
	/** Path of its list. */
	path: string;
	/** Member that holds the mark. */
	marked: 'name' | 'title';
}

const TAG: Kind = { what: 'tag', path: '/tags', marked: 'title' };
const GROUP: Kind = { what: 'group', path: '/groups', marked: 'name' };
const MEDIA: Kind = { what: 'media item', path: '/media', marked: 'title' };
const CUSTOMER: Kind = { what: 'customer', path: '/customers', marked: 'name' };

/** A record that was created, or may have been: then its id is not known. An answer may name that of another record. */
interface Made {
	kind: Kind;
	id?: string;
	/** Whether it was read under this id with the mark: before that, nothing may be changed or deleted under it. */
	isConfirmed?: true;
}

const memberOf = (json: unknown, name: string): unknown => {
	const record = unwrapped(json);
	return isObject(record) ? record[name] : undefined;
};

const idIn = (json: unknown): string | undefined => {
	const id = memberOf(json, 'id');
	const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
	return /^[\w-]{1,64}$/.test(text) ? text : undefined;
};

/**
 * Creates, changes and deletes a tag, a group, a media item and a customer, all of which carry the same mark. Nothing else
 * is changed: each record is read first, and has to show the mark. It ends with the first outcome that is not clear.
 */
export class WriteRun {
	/** What people and the clean-up know the records of this run by. */
	readonly mark = `tenant:check ${randomBytes(4).toString('hex')}, delete me`;

	private readonly made: Made[] = [];

	constructor(
		private readonly client: TenantClient,
		private readonly findings: Findings,
	) {}

	/**
	 * Writes. Whatever happens, `cleanUp` has to follow.
	 *
	 * @throws ReportProblem when the outcome of a write is not clear
	 */
	async run(): Promise<void> {
		await this.createAndChange(TAG);
		await this.createAndChange(GROUP);
		const uuid = await this.upload();
		if (uuid !== undefined) await this.createAndChange(MEDIA, { type: 'image', internal_uuid: uuid }, [TAG]);
		await this.customer();
	}

	/**
	 * Removes what was created, also after the person has stopped the check.
	 *
	 * @returns a sentence for everything that could not be removed
	 */
	async cleanUp(): Promise<string[]> {
		const left: string[] = [];
		for (const made of this.made.toReversed()) {
			const problem = await this.remove(made).catch((error: unknown) =>
				error instanceof ReportProblem ? error.message : 'its removal failed.',
			);
			if (problem !== undefined) left.push(`${this.toDelete(made)}: ${problem}`);
			this.forget(made);
		}
		return left;
	}

	/** Sentences for what may still be there, for the case that there is no time to remove it. */
	remaining(): string[] {
		return this.made.map((made) => `${this.toDelete(made)}.`);
	}

	private toDelete({ kind }: Made): string {
		return `Delete the ${kind.what} "${this.mark}" in the tenant yourself`;
	}

	private isOurs({ marked }: Kind, json: unknown): boolean {
		const value = memberOf(json, marked);
		return typeof value === 'string' && value.startsWith(this.mark);
	}

	/** @returns the problem, where it is not removed for sure */
	private async remove(made: Made): Promise<string | undefined> {
		const { kind, id: named } = made;
		if (!made.isConfirmed && named !== undefined) await this.confirm(made, true);
		const id = made.isConfirmed ? named : await this.find(kind);
		if (id === undefined && named === undefined) return 'whether it was created is not known.';
		if (id === undefined) return 'the record of its response does not show this mark, and was left as it is.';
		const { status } = await this.client.send('DELETE', `${kind.path}/${id}`, { isCleanup: true });
		const isGone = status < 300 || status === 404;
		return isGone ? undefined : `its removal was answered with ${statusText(status)}.`;
	}

	/** Reads a record under its id, and remembers if it shows the mark. */
	private async confirm(made: Made, isCleanup: boolean): Promise<Exchange> {
		const answer = await this.client.send('GET', `${made.kind.path}/${made.id}`, { isCleanup });
		if (answer.status < 300 && this.isOurs(made.kind, answer.content.value)) made.isConfirmed = true;
		return answer;
	}

	/** Looks for a record that shows the mark: its creation had no readable answer, or one that named another record. */
	private async find(kind: Kind, path = kind.path, question: Question = { isCleanup: true }) {
		const { content } = await this.client.send('GET', path, question);
		return idIn((recordsOf(content.value) ?? []).find((record) => this.isOurs(kind, record)));
	}

	/** Sends a write. @throws ReportProblem when its outcome is not clear: whatever came next could make it worse */
	private async write(method: string, path: string, what: string, question?: Question): Promise<Exchange> {
		const answer = await this.client.send(method, path, question).catch((error: unknown) => {
			if (!(error instanceof Unanswered)) throw error;
			this.findings.add({ method, path }, { rule: 'noAnswer', came: error.came });
			throw this.unclear(what, error.message);
		});
		const { status } = answer;
		if (status >= 500 || (status >= 300 && status < 400))
			throw this.unclear(what, `its status was ${statusText(status)}.`);
		return answer;
	}

	private unclear(what: string, why: string): Unclear {
		const named = what === 'the upload' ? what : `${what} "${this.mark}"`;
		return new Unclear(`The check stopped writing, since the outcome of ${named} is not clear: ${why}`);
	}

	/**
	 * Creates a record and remembers it for the removal.
	 *
	 * @returns its path, or the status of the refusal
	 * @throws ReportProblem when it is not clear what was created
	 */
	private async create(kind: Kind, body: object = {}): Promise<number | string> {
		const made: Made = { kind };
		const what = `the creation of the ${kind.what}`;
		this.made.push(made);
		const json = { ...body, [kind.marked]: this.mark };
		const answer = await this.write('POST', kind.path, what, { json }).catch((error: unknown) => {
			// All other failures come before anything is sent.
			if (!(error instanceof Unclear)) this.forget(made);
			throw error;
		});
		// A refusal says that there is nothing to remove.
		if (answer.status >= 400) {
			this.forget(made);
			return answer.status;
		}
		made.id = idIn(answer.content.value);
		if (made.id === undefined) throw this.unclear(what, 'its response showed no ID.');
		const read = await this.confirm(made, false);
		if (made.isConfirmed) return `${kind.path}/${made.id}`;
		const isOther = read.status < 300 && typeof memberOf(read.content.value, kind.marked) === 'string';
		if (!isOther) throw this.unclear(what, 'the record did not show its mark.');
		const why = 'its response named another record, which stays as it is. Look for the mark in the tenant.';
		throw this.unclear(what, why);
	}

	private forget(made: Made): void {
		this.made.splice(this.made.indexOf(made), 1);
	}

	/** Changes a member of a record, and what is attached to it: the records of these kinds that were created before. */
	private async change(what: string, path: string, member: object, attached: Kind[] = []): Promise<void> {
		const { content } = await this.write('PATCH', path, `the change of the ${what}`, { json: member });
		for (const [name, wanted] of Object.entries(member)) {
			const value = memberOf(content.value, name);
			const unchanged = { rule: 'unchanged', came: `\`${name}\`: another value` } as const;
			if (typeof value === 'string' && value !== wanted)
				this.findings.add({ method: 'PATCH', path }, unchanged);
		}
		for (const { kind, id } of this.made.filter((made) => attached.includes(made.kind))) {
			const set = kind.path.slice(1);
			const question = { json: { [set]: [{ id: Number(id) || id }] } };
			await this.write('POST', `${path}/${set}`, `the change of the ${set} of the ${what}`, question);
		}
	}

	private async createAndChange(kind: Kind, body?: object, attached?: Kind[]): Promise<void> {
		const path = await this.create(kind, body);
		if (typeof path === 'string')
			await this.change(kind.what, path, { [kind.marked]: `${this.mark}!` }, attached);
	}

	/** @returns the UUID of an uploaded picture */
	private async upload(): Promise<string | undefined> {
		const form = new FormData();
		form.append('type', 'image');
		form.append('file', new Blob([PIXEL], { type: 'image/png' }), 'tenant-check.png');
		const { content, status } = await this.write('POST', '/files/temporary-upload', 'the upload', { form });
		const uuid = memberOf(content.value, 'internal_uuid');
		if (status < 300 && typeof uuid === 'string') return uuid;
		this.findings.notRead.push({ operation: 'createMedia', reason: 'the upload before it showed no UUID' });
		return undefined;
	}

	/** A customer itself cannot be changed, its profile can. */
	private async customer(): Promise<void> {
		let [number, created]: [string, number | string] = ['', 422];
		// Somebody may have taken the number for a test as well.
		for (let tries = 1; created === 422 && tries <= MOST_NUMBERS; tries++) {
			number = anyNumber();
			created = await this.create(CUSTOMER, { channel: 'chatapp', display_id: number });
		}
		if (typeof created === 'number') return;
		const id = await this.find(CUSTOMER, '/profiles', { query: { search: number } });
		if (id === undefined)
			this.findings.notRead.push({
				operation: 'updateProfile',
				reason: 'the profile of the test customer was not found',
			});
		else await this.change('profile', `/profiles/${id}`, { custom_1: this.mark }, [TAG, GROUP]);
	}
}
