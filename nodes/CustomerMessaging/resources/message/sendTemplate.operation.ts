import { consentGuard } from '../../messaging/consentGuard';
import { allowLoop, fromAutomation, loopNotice, skipSent } from '../../messaging/messageOptions';
import { sendOnce, sendOnceHours, sendOnceKey, sendOnceSettings } from '../../messaging/delivery/sendOnce';
import { fallbackTemplate, ifUndelivered, whenUndelivered } from '../../messaging/delivery/undelivered';
import { placeholders, placeholdersJson } from '../../messaging/placeholders';
import { guardMessage, sendingSettings, sendMessage } from '../../messaging/sendMessage';
import { previewTemplate, withTotals } from '../../messaging/preview/templatePreview';
import { record } from '../../outputs/outputs';
import { simplifiedMessage, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { collection, setting } from '../../runner/field';
import { flow } from '../../runner/operation';
import { boolean } from '../../values/booleans';
import { recipient, templateFields } from './templateFields';
import { assignments } from './templateOptions';
import {
	completeTemplate,
	contentSettings,
	ofTemplate,
	skippedTemplate,
	type Template,
} from './templateSending';

const dryRun = setting('options.dryRun', boolean, {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to send nothing, and return what the customer would read, what is missing, consent and price',
});

const settings = [
	dryRun,
	recipient,
	...sendingSettings,
	...sendOnceSettings,
	ifUndelivered,
	fallbackTemplate,
	...contentSettings,
] as const;

/** Sends the template, or describes it. It first checks and uploads a file for the header. */
const sendOne = flow<(typeof settings)[number], Template>(
	settings,
	async (given) => {
		const item = ofTemplate(given);
		const { context, request, read } = item;
		if (read(dryRun)) return await previewTemplate(item, read(consentGuard), () => guardMessage(item));
		const { phone_number, customer_id, agent_id } = request.body;
		const fallback = read(fallbackTemplate);
		return await sendMessage(item, {
			once: sendOnce(item),
			answered: whenUndelivered(item, fallback && { phone_number, customer_id, agent_id, ...fallback }),
			skipped: async () => await skippedTemplate(context, request.body, read),
			complete: async (body) => await completeTemplate(context, body, read),
		});
	},
	(read) => read(dryRun),
);

export const sendTemplate = operation('POST /chatapp/send-template', {
	fields: [
		...templateFields,
		...simplify,
		collection(
			{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
			[
				allowLoop,
				...assignments,
				dryRun,
				fallbackTemplate,
				fromAutomation,
				ifUndelivered,
				placeholders,
				placeholdersJson,
				sendOnceHours,
				sendOnceKey,
				skipSent,
				consentGuard,
			],
		),
		loopNotice,
	],
	flow: sendOne,
	output: simplifiedMessage(record),
	conclude: withTotals,
});
