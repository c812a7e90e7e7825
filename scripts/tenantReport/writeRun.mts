import { randomBytes, randomInt } from 'node:crypto';
import { FormData } from 'undici';
import { unwrapped } from '../../nodes/CustomerMessaging/transport/responseBody.ts';
import { operationOf } from './differences.mts';
import type { Findings } from './findings.mts';
import { ReportProblem } from './problem.mts';
import { recordsOf, statusText } from './recognition.mts';
import { type Answer, type Question, type TenantClient, Unanswered } from './tenantClient.mts';
import { isRecord } from './vocabulary.mts';

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

const idIn = (record: unknown): string | undefined => {
	const id = isRecord(record) ? record.id : undefined;
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
		const { mark } = this;
		await this.lifeOf(TAG, { title: mark }, { title: `${mark}!` });
		await this.lifeOf(GROUP, { name: mark }, { name: `${mark}!` });
		await this.media();
		await this.customer();
	}

	/**
	 * Removes what is still there, also after the person has stopped the check.
	 *
	 * @returns a sentence for everything that could not be removed
	 */
	async cleanUp(): Promise<string[]> {
		const left: string[] = [];
		for (const made of this.made.toReversed()) {
			const { what } = made.kind;
			const problem = await this.remove(made).catch((error: unknown) =>
				error instanceof ReportProblem ? error.message : 'its removal failed.',
			);
			if (problem !== undefined)
				left.push(`Delete the ${what} "${this.mark}" in the tenant yourself: ${problem}`);
		}
		this.made.length = 0;
		return left;
	}

	/** Sentences for what may still be there, for the case that there is no time to remove it. */
	remaining(): string[] {
		return this.made.map(({ kind }) => `Delete the ${kind.what} "${this.mark}" in the tenant yourself.`);
	}

	private isOurs(kind: Kind, record: unknown): boolean {
		const value = isRecord(record) ? record[kind.marked] : undefined;
		return typeof value === 'string' && value.startsWith(this.mark);
	}

	/** @returns the problem, where it is not removed for sure */
	private async remove(made: Made): Promise<string | undefined> {
		const { kind, id: named } = made;
		if (!made.isConfirmed && named !== undefined) await this.confirm(made, true);
		const id = made.isConfirmed ? named : await this.find(kind);
		if (id === undefined) {
			return named === undefined
				? 'whether it was created is not known.'
				: 'the record that the answer to its creation named does not show this mark, and was left as it is.';
		}
		const { status } = await this.client.send('DELETE', `${kind.path}/${id}`, { isCleanup: true });
		return status < 300 || status === 404
			? undefined
			: `its removal was answered with ${statusText(status)}.`;
	}

	/** Reads a record under its id, and remembers if it shows the mark. */
	private async confirm(made: Made, isCleanup: boolean): Promise<Answer> {
		const answer = await this.client.send('GET', `${made.kind.path}/${made.id}`, { isCleanup });
		if (answer.status < 300 && this.isOurs(made.kind, unwrapped(answer.json))) made.isConfirmed = true;
		return answer;
	}

	/** Looks for a record whose creation had no readable answer, or one that named another record. */
	private async find(kind: Kind): Promise<string | undefined> {
		const { json } = await this.client.send('GET', kind.path, { isCleanup: true });
		return idIn((recordsOf(json) ?? []).find((record) => this.isOurs(kind, record)));
	}

	/** Sends a write. @throws ReportProblem when its outcome is not clear: whatever came next could make it worse */
	private async write(method: string, path: string, what: string, question?: Question): Promise<Answer> {
		const answer = await this.client.send(method, path, question).catch((error: unknown) => {
			const operation = operationOf(method, path);
			if (error instanceof Unanswered && operation)
				this.findings.add(operation, { rule: 'noAnswer', came: error.came });
			throw error instanceof Unanswered ? this.unclear(what, error.message) : error;
		});
		if (answer.status >= 500 || (answer.status >= 300 && answer.status < 400))
			throw this.unclear(what, `its status was ${statusText(answer.status)}.`);
		return answer;
	}

	private unclear(what: string, why: string): Unclear {
		return new Unclear(`The check stopped writing, since the outcome of ${what} is not clear: ${why}`);
	}

	/**
	 * Creates a record and remembers it for the removal.
	 *
	 * @returns its id, or the status of the refusal
	 * @throws ReportProblem when it is not clear what was created
	 */
	private async create(kind: Kind, body: object): Promise<{ id?: string; status: number }> {
		const made: Made = { kind };
		const what = `the creation of the ${kind.what} "${this.mark}"`;
		this.made.push(made);
		const answer = await this.write('POST', kind.path, what, { json: body }).catch((error: unknown) => {
			// All other failures come before anything is sent.
			if (!(error instanceof Unclear)) this.forget(made);
			throw error;
		});
		const { status } = answer;
		// A refusal says that there is nothing to remove.
		if (status >= 400) {
			this.forget(made);
			return { status };
		}
		made.id = idIn(unwrapped(answer.json));
		if (made.id === undefined) throw this.unclear(what, 'its response showed no ID.');
		const read = await this.confirm(made, false);
		if (made.isConfirmed) return { id: made.id, status };
		const shown = unwrapped(read.json);
		const isOther = read.status < 300 && isRecord(shown) && typeof shown[kind.marked] === 'string';
		throw this.unclear(
			what,
			isOther
				? 'its response named another record, which was left as it is. Look for the mark in the tenant.'
				: 'the record did not show its mark.',
		);
	}

	private forget(made: Made): void {
		this.made.splice(this.made.indexOf(made), 1);
	}

	private async delete(kind: Kind, id: string): Promise<void> {
		const what = `the deletion of the ${kind.what} "${this.mark}"`;
		const { status } = await this.write('DELETE', `${kind.path}/${id}`, what);
		const made = this.made.find((one) => one.kind === kind && one.id === id);
		if (status >= 300) throw this.unclear(what, `its status was ${statusText(status)}.`);
		if (made) this.forget(made);
	}

	private async lifeOf(kind: Kind, body: object, change: object): Promise<void> {
		const { id } = await this.create(kind, body);
		if (id === undefined) return;
		const path = `${kind.path}/${id}`;
		const what = `the change of the ${kind.what} "${this.mark}"`;
		const { json } = await this.write('PATCH', path, what, { json: change });
		const shown = unwrapped(json);
		const value = isRecord(shown) ? shown[kind.marked] : undefined;
		const operation = operationOf('PATCH', path);
		if (operation && typeof value === 'string' && value !== `${this.mark}!`)
			this.findings.add(operation, { rule: 'unchanged', came: `\`${kind.marked}\`: another value` });
		await this.delete(kind, id);
	}

	private async media(): Promise<void> {
		const form = new FormData();
		form.append('type', 'image');
		form.append('file', new Blob([PIXEL], { type: 'image/png' }), 'tenant-check.png');
		const { json, status } = await this.write('POST', '/files/temporary-upload', 'the upload', { form });
		const file = unwrapped(json);
		const uuid = isRecord(file) ? file.internal_uuid : undefined;
		if (status >= 300 || typeof uuid !== 'string') {
			this.findings.notRead.set('createMedia', 'the upload before it showed no UUID');
			return;
		}
		const body = { type: 'image', internal_uuid: uuid, title: this.mark };
		await this.lifeOf(MEDIA, body, { title: `${this.mark}!` });
	}

	private async customer(): Promise<void> {
		for (let tries = 1; tries <= MOST_NUMBERS; tries++) {
			const number = anyNumber();
			const body = { channel: 'chatapp', display_id: number, name: this.mark };
			const { id, status } = await this.create(CUSTOMER, body);
			if (id !== undefined) {
				await this.changeProfile(number);
				await this.delete(CUSTOMER, id);
				return;
			}
			// Somebody may have taken the number for a test as well.
			if (status !== 422) return;
		}
	}

	/** A customer itself cannot be changed, its profile can. */
	private async changeProfile(number: string): Promise<void> {
		const { json } = await this.client.send('GET', '/profiles', { query: { search: number } });
		const profile = idIn((recordsOf(json) ?? []).find((record) => this.isOurs(CUSTOMER, record)));
		if (profile === undefined) {
			this.findings.notRead.set('updateProfile', 'the profile of the test customer was not found');
			return;
		}
		const what = `the change of the profile "${this.mark}"`;
		await this.write('PATCH', `/profiles/${profile}`, what, { json: { custom_1: this.mark } });
	}
}
