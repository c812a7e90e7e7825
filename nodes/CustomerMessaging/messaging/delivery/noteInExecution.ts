import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ItemContext } from '../../runner/field';
import { setting } from '../../runner/field';
import type { Item } from '../../runner/operation';
import { boolean } from '../../values/choices';
import { stringOf } from '../../values/text';
import { sendOnce } from '../once/sendOnce';

export const noteInExecution = setting('options.noteInExecution', boolean, {
	displayName: 'Note in Execution',
	type: 'boolean',
	description:
		'Whether to note customers, conversations and keys of Send Once in the execution, so that the list of executions can be filtered by them',
});

/** What is noted, under these names. n8n has place for ten names in an execution. */
const NAMES = ['customer_id', 'conversation_id', 'send_once_key'] as const;

/** Maximum length of a note. n8n complains beyond it in its log. */
const MAX_LENGTH = 255;

/** What the node's context has in n8n, for the data of the execution. */
type WithCustomData = ItemContext & {
	customData?: { get: (name: string) => unknown; set: (name: string, value: string) => void };
};

/** Adds a value to a note, which has the values of several items, until it is full. */
function add(context: WithCustomData, name: string, value: string): void {
	const before = stringOf(context.customData?.get(name));
	const known = before === '' ? [] : before.split(', ');
	const note = [...known, value].join(', ');
	if (!known.includes(value) && note.length <= MAX_LENGTH) context.customData?.set(name, note);
}

/**
 * Sends a message, and notes in the execution what is known of it before and after, if the user wants that. A note never
 * fails a message.
 */
export async function noted(
	{
		context,
		read,
		shows,
	}: Pick<Item<typeof noteInExecution | typeof sendOnce>, 'context' | 'read' | 'shows'>,
	known: IDataObject,
	send: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const isWanted = shows(noteInExecution) && read(noteInExecution);
	const note = (json: IDataObject) => {
		for (const name of isWanted ? NAMES : []) {
			const value = stringOf(json[name]);
			try {
				if (value !== '') add(context, name, value);
			} catch {
				// n8n does not take it.
			}
		}
	};
	note({ ...known, ...(shows(sendOnce) && { send_once_key: read(sendOnce).key }) });
	const items = await send();
	for (const { json } of items) note(json);
	return items;
}
