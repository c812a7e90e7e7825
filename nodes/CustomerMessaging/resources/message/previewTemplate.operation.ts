import type { Body } from '../../contract/endpoints';
import { placeholders, placeholdersJson } from '../../messaging/placeholders';
import {
	previewSettings,
	previewTemplate as previewOne,
	withTotals,
} from '../../messaging/preview/templatePreview';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { collection } from '../../runner/field';
import { flow } from '../../runner/operation';
import { recipient, templateFields } from './templateFields';

const settings = [recipient, ...previewSettings] as const;

type Template = Body<'POST /chatapp/send-template'>;

/** Describes what Send Template would send. It never asks the endpoint. */
export const previewTemplate = operation('POST /chatapp/send-template', {
	fields: [
		...templateFields,
		collection(
			{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
			[placeholders, placeholdersJson],
		),
	],
	flow: flow<(typeof settings)[number], Template>(
		settings,
		async (item) => await previewOne(item),
		() => true,
	),
	output: record,
	conclude: withTotals,
});
