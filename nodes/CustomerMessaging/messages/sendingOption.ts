import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Setting } from '../core/field';
import type { Item } from '../core/item';

/** Why a message is not sent, and further columns of its row. */
export type Skip = { reason: string } & IDataObject;

export interface Undelivered {
	id: IDataObject[string];
	latest_error: IDataObject[string];
}

export interface Sent {
	items: INodeExecutionData[];
	undelivered?: Undelivered;
}

export type Send = () => Promise<Sent | Skip>;

/** What an option does with a message before it goes out, where the node displays the option. */
interface Guard<Reads extends Setting, Members> {
	/** The member of the body that has to be true, in place of a displayed option. */
	watches?: string;
	/**
	 * Sends the message, or says why not.
	 *
	 * @throws NodeOperationError when the message must not go out
	 */
	guard: (item: Item<Reads, Members>, send: Send) => Promise<Sent | Skip>;
}

export type SendingOption<Reads extends Setting = never, Members = object> = Guard<Reads, Members> & Reads;

/** The setting of an option; never for a field whose value is sent. */
export type SettingOf<Option> =
	Option extends Setting<infer Path, infer Value> ? Setting<Path, Value> : never;
