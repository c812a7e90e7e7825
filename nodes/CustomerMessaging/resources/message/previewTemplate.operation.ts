import { placeholders } from '../../messaging/template/placeholders';
import type { TemplateBody } from '../../messaging/template/templateChoice';
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
import { ofTemplate } from './templateSending';

const settings = [recipient, ...previewSettings] as const;

/** Describes what Send Template would send. It never asks the endpoint. */
export const previewTemplate = operation('POST /chatapp/send-template', {
	fields: [
		...templateFields,
		collection(
			{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
			[placeholders],
		),
	],
	flow: flow<(typeof settings)[number], TemplateBody>(
		settings,
		async (item) => await previewOne(ofTemplate(item)),
		{ collects: true },
	),
	output: record,
	conclude: withTotals,
});
