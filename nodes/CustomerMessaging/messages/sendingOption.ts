import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Setting } from '../core/field';
import type { Item } from '../core/item';

/** Why a message is not sent, and further columns of its row. */
export type Skip = { reason: string } & IDataObject;

export interface Sent {
	items: INodeExecutionData[];
	/** `id` and `latest_error` of a message that was not delivered. */
	undelivered?: IDataObject;
}

export type Send = () => Promise<Sent | Skip>;

/** An option that decides about a message before it goes out. It counts where the node displays it. */
export interface SendingOption extends Setting {
	/** The member of the body that has to be true, in place of a displayed option. */
	watches?: string;
	/**
	 * Sends the message, or says why not.
	 *
	 * @throws NodeOperationError when the message must not go out
	 */
	guard(item: Item<never, object>, send: Send): Promise<Sent | Skip>;
}

/** The setting of an option; never for a field whose value is sent. */
export type SettingOf<Option> =
	Option extends Setting<infer Path, infer Value> ? Setting<Path, Value> : never;
