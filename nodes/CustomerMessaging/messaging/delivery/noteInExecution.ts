import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ItemContext } from '../../runner/field';
import type { Item } from '../../runner/operation';
import { leavingWhole } from '../../transport/leaving';
import { recordId } from '../../values/ids';
import { stringOf } from '../../values/text';
import { noteInExecution, sendOnce } from '../sendingOptions';

/** The IDs that are noted, beside the key of Send Once. n8n has place for ten names in an execution. */
const IDS = ['customer_id', 'conversation_id'] as const;

const MAX_LENGTH = 255;

interface CustomData {
	get: (name: string) => unknown;
	set: (name: string, value: string) => void;
}

/** Returns the data of the execution; undefined where n8n has none. n8n 1 has it only where expressions find it. */
const customDataOf = (context: ItemContext) =>
	(context.getWorkflowDataProxy(context.getItemIndex()).$execution as { customData?: CustomData } | undefined)
		?.customData;

/** Adds a value to a note, which has the values of several items, until it is full. */
function add(data: CustomData | undefined, name: string, value: string): void {
	const before = stringOf(data?.get(name));
	const known = before === '' ? [] : before.split(', ');
	const note = [...known, value].join(', ');
	if (!known.includes(value) && note.length <= MAX_LENGTH) data?.set(name, note);
}

/** Sends a message, and notes what is known of it before and after. A note never fails a message, nor holds a secret. */
export async function noted(
	{ context, read, shows }: Item<typeof noteInExecution | typeof sendOnce>,
	known: IDataObject,
	send: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const isWanted = shows(noteInExecution) && read(noteInExecution);
	const note = async (name: string, value: string) => {
		const whole = isWanted ? await leavingWhole(context, value, MAX_LENGTH) : '';
		try {
			if (whole) add(customDataOf(context), name, whole);
		} catch {
			// n8n does not take it.
		}
	};
	const noteIds = async (json: IDataObject) => {
		for (const name of IDS) await note(name, stringOf(recordId(json[name])));
	};
	await noteIds(known);
	if (shows(sendOnce)) await note('send_once_key', stringOf(read(sendOnce).key));
	const items = await send();
	for (const { json } of items) await noteIds(json);
	return items;
}
