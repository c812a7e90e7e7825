import { constants, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { existing, invalid, Refusal } from '../refusal.mts';
import type { Tenant } from '../tenant.mts';

/** A saved state of a tenant. */
export interface Snapshot {
	name: string;
	/** ISO 8601, real time. */
	created_at: string;
	/** Bytes on disk, uploads included. */
	size: number;
}

/** What the control plane has switched, beside the records. */
type Switches = {
	deliveryStatuses: Tenant['deliveryStatuses']['rules'];
	templateReview: Tenant['templateReview']['rules'];
};

/** A name is the name of a folder, on every system. */
const NAME = /^(?!(con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9_-]{0,63}$/i;

const DATABASE = 'sandbox.sqlite';
const FILES = 'files';

/** The name of an upload that is still on its way, or of a snapshot that is. */
const PART = '.part';
const isWhole = (path: string) => !path.endsWith(PART);

/** @throws 422 for what is no name. */
function checkName(name: string): void {
	if (NAME.test(name)) return;
	throw invalid({
		name: [
			'The name of a snapshot has up to 64 letters, digits, "-" and "_", begins with a letter or digit, and is no name of a device, such as "con".',
		],
	});
}

/**
 * The saved states of a tenant, each in a folder: the whole database, which SQLite itself writes, and the uploads. They lie
 * beside the tenant's data, and outlive its resets.
 */
export class Snapshots {
	private readonly folder: string;

	constructor(private readonly tenant: Tenant) {
		this.folder = join(tenant.store.folder, 'snapshots');
	}

	/** By name. */
	list(): Snapshot[] {
		mkdirSync(this.folder, { recursive: true });
		return readdirSync(this.folder)
			.filter((name) => NAME.test(name) && existsSync(join(this.folder, name, DATABASE)))
			.sort()
			.map((name) => this.describe(name));
	}

	/**
	 * Saves everything that the tenant holds, its clock and its webhooks too; not its faults and recorded requests. One of this
	 * name is replaced.
	 * @throws 422 for a name that cannot be one of a folder
	 */
	save(name: string): Snapshot {
		checkName(name);
		const { store, deliveryStatuses, templateReview } = this.tenant;
		const part = join(this.folder, `${name}${PART}`);
		rmSync(part, { recursive: true, force: true });
		mkdirSync(part, { recursive: true });
		store.saveClock();
		const switches: Switches = {
			deliveryStatuses: deliveryStatuses.rules,
			templateReview: templateReview.rules,
		};
		store.setFact('switches', JSON.stringify(switches));
		store.database.run('VACUUM INTO ?', join(part, DATABASE));
		copyFiles(store.filesFolder, join(part, FILES));
		rmSync(join(this.folder, name), { recursive: true, force: true });
		renameSync(part, join(this.folder, name));
		return this.describe(name);
	}

	/**
	 * Makes the tenant what it was, down to the next ids; its clock is as far ahead as it was.
	 * @throws 404 without such a snapshot, 422 when another version of the sandbox saved it or it is damaged
	 */
	load(name: string): Snapshot {
		const snapshot = this.find(name);
		const { tenant } = this;
		// Contents come first and go last: a process that is killed between leaves some too many, never one too few.
		copyFiles(join(this.folder, name, FILES), tenant.store.filesFolder);
		try {
			tenant.store.load(join(this.folder, name, DATABASE));
		} catch (error) {
			if (error instanceof Refusal) throw error;
			throw invalid({ name: [`This snapshot cannot be read: ${(error as Error).message}.`] });
		}
		const kept = readdirSync(join(this.folder, name, FILES));
		for (const file of readdirSync(tenant.store.filesFolder)) {
			if (isWhole(file) && !kept.includes(file)) rmSync(join(tenant.store.filesFolder, file));
		}
		tenant.deliveries.forget();
		tenant.store.webhooks.abandonDeliveries();
		const switches = JSON.parse(tenant.store.fact('switches') ?? '{}') as Switches;
		tenant.deliveryStatuses.rules = switches.deliveryStatuses;
		tenant.templateReview.rules = switches.templateReview;
		tenant.store.clock.setAhead(Number(tenant.store.fact('clock_offset') ?? 0));
		tenant.events.emit('reset');
		return snapshot;
	}

	/** @throws 404 without such a snapshot. */
	delete(name: string): void {
		this.find(name);
		rmSync(join(this.folder, name), { recursive: true });
	}

	private find(name: string): Snapshot {
		return existing(
			this.list().find((snapshot) => snapshot.name === name),
			'Snapshot',
		);
	}

	private describe(name: string): Snapshot {
		const folder = join(this.folder, name);
		const database = statSync(join(folder, DATABASE));
		const files = readdirSync(join(folder, FILES)).map((file) => statSync(join(folder, FILES, file)).size);
		return {
			name,
			created_at: database.mtime.toISOString(),
			size: files.reduce((sum, size) => sum + size, database.size),
		};
	}
}

/** Copies uploads, where the file system can without taking room for them. */
function copyFiles(from: string, to: string): void {
	cpSync(from, to, { recursive: true, filter: isWhole, mode: constants.COPYFILE_FICLONE });
}
