import { type IDataObject, type INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { checkedFile } from '../../files/upload';
import type { ItemContext } from '../../core/field';
import type { Item } from '../../core/item';
import { orUndefinedIfForbidden } from '../../api/records';
import { MAX_MESSAGE, nodeErrorOf } from '../../api/errors';
import { recordId } from '../../values/ids';
import { ownMember } from '../../values/json';
import { isBlank } from '../../values/text';
import { consentOf, type RecipientSigns, signsOf } from '../consentGuard';
import { componentsOf, type MediaResolver, valuesIn } from './components';
import { givenVariables, headerMedia } from './itemVariables';
import { headerSlot, isMediaKind, type MediaKind, placeOf, type SlotValue } from './slots';
import type { TemplateBody } from './templateChoice';
import { templateCategory, templateStatus } from './templateRecord';
import { placeholders, type VariableSetting } from './variableFields';
import { type FoundTemplate, templateSearchOf } from './templateDirectory';
import { placeholderReplacer, RenderedTemplate } from './templateRendering';

type PreviewItem = Item<typeof placeholders | VariableSetting, TemplateBody>;

interface Media {
	type: MediaKind;
	/** `null` if the value is none of them. */
	source: 'binaryField' | 'uploadedFile' | 'url' | null;
	url?: string;
	file_name?: string;
	mime_type?: string;
	size?: number;
}

type Preview = Awaited<ReturnType<TemplatePreviewer['preview']>> & { totals?: object };

/** Statuses that are about a record that the item names. Others are about the connection, the token or the service. */
const ABOUT_RECORD = ['400', '403', '404', '422'];

const missingOf = (missing: string[]) => `Missing: ${[...new Set(missing)].join(', ')}`;

/** Describes the message of an item, and collects what is wrong with it. It only reads. */
class TemplatePreviewer {
	private readonly problems: string[] = [];
	private isRefused = false;

	/** Labels of the required variables without a value, by the name of the slot. */
	private readonly empty = new Map<string, string>();

	private media: Media | null = null;

	constructor(private readonly item: PreviewItem) {
		for (const problem of item.problems) this.refuse(problem);
	}

	private refuse({ message, description }: Pick<NodeOperationError, 'description' | 'message'>): void {
		this.problems.push([message, description].filter(Boolean).join('. '));
		this.isRefused = true;
	}

	/** Returns an error that is about the item. @throws any other error */
	private async ofItem(error: unknown): Promise<NodeApiError | NodeOperationError> {
		const { context } = this.item;
		const failure = nodeErrorOf(context, error, context.getItemIndex());
		if (failure instanceof NodeApiError && !ABOUT_RECORD.includes(failure.httpCode ?? '')) throw failure;
		return failure;
	}

	/** Returns the address of a header's file, and describes the file. It uploads nothing. */
	private mediaResolver(context: ItemContext, label: string): MediaResolver {
		return async (type, value) => {
			this.media = { type, source: null };
			const resolve = headerMedia(context, label, async (_kind, field) => {
				this.media = { type, source: 'binaryField' };
				const { name, type: mime_type, size } = await checkedFile(context, field, type);
				this.media = { ...this.media, file_name: name, mime_type, size };
				return { link: null, filename: name };
			});
			try {
				const file = await resolve(type, value);
				if (file.link !== null)
					this.media = { type, source: file.link === value.trim() ? 'url' : 'uploadedFile', url: file.link };
				return file;
			} catch (error) {
				this.refuse(await this.ofItem(error));
				return { link: null };
			}
		};
	}

	/** Makes the components, and returns them with the values for the template's variables. */
	private async variables(): Promise<{ components: IDataObject[]; values: SlotValue[]; others: string[] }> {
		const { context } = this.item;
		const given = givenVariables(this.item, (label, { message, hint }, emptySlot) => {
			if (emptySlot === undefined) this.refuse({ message: `${label} ${message}`, description: hint });
			else this.empty.set(emptySlot, label);
		});
		if ('components' in given) {
			const { values, others } = valuesIn(given.components);
			return { components: given.components, values: values.filter(({ value }) => !isBlank(value)), others };
		}
		const components = await componentsOf(given.values, this.mediaResolver(context, given.fileLabel));
		this.isRefused ||= this.empty.size > 0;
		// Where a variable is missing, the texts after it would move in the components.
		const values = this.isRefused
			? given.values.filter(({ value }) => value !== '')
			: valuesIn(components).values;
		if (this.media) values.push({ slot: headerSlot(this.media.type), value: this.media.url ?? '' });
		return { components, values, others: [] };
	}

	private async template(): Promise<FoundTemplate> {
		const { context, request } = this.item;
		const { template_name: name, template_language: language } = request.body;
		if (name === undefined || language === undefined) return { problems: [] };
		const find = await templateSearchOf(context);
		return find?.(name, language) ?? { problems: ['The service does not show its templates'] };
	}

	private async consent(signs: RecipientSigns | undefined) {
		const unknown = (reason: string) => ({ name: signs?.name, is_opted_in: null, profile_id: null, reason });
		if (!signs || (signs.customerId ?? signs.digits) === undefined)
			return unknown('The recipient is not known');
		try {
			const { isOptedIn, profile, reason } = await consentOf(this.item.context, signs);
			return {
				name: typeof profile?.name === 'string' ? profile.name : signs.name,
				is_opted_in: isOptedIn,
				profile_id: recordId(profile?.id) ?? null,
				...(!isOptedIn && { reason }),
			};
		} catch (error) {
			return unknown((await this.ofItem(error)).message);
		}
	}

	private rendered({ parts }: FoundTemplate, values: SlotValue[]): RenderedTemplate | undefined {
		const replaced = placeholderReplacer(this.item.get(placeholders));
		return (
			parts &&
			new RenderedTemplate(
				parts,
				values.map(({ slot, value }) => ({ slot, value: replaced(value) })),
			)
		);
	}

	private would(missing: string[]): string {
		const problems = this.problems.map((problem) => problem.replace(/\.$/, ''));
		const reasons = [...problems, ...(missing.length > 0 ? [missingOf(missing)] : [])];
		if (reasons.length === 0) return 'Would be sent';
		return `${this.isRefused ? 'Would be refused' : 'Would be sent, but'}: ${reasons.join('. ')}`;
	}

	async preview() {
		const { api, context, request } = this.item;
		const { components, values, others } = await this.variables();
		const template = await this.template();
		this.problems.push(...template.problems);
		const rendered = this.rendered(template, values);
		const told = rendered ?? new RenderedTemplate([], []);
		const { header, body, footer, buttons, missing, notShown, unused } = told;
		const unfilled = told.unfilled(components).join(', ');
		if (unfilled !== '')
			this.problems.push(`No field fills a part of the template: ${unfilled}. Set Variables to JSON`);
		for (const [slot, label] of this.empty) if (!missing.has(slot)) missing.set(slot, label);
		if (rendered && !this.isRefused && notShown.length === 0 && others.length === 0)
			for (const slot of unused) this.problems.push(`The template has no place for ${placeOf(slot)}`);

		const signs = await orUndefinedIfForbidden(signsOf(context, request.body));
		if (!signs) this.problems.push(`The service shows no customer ${request.body.customer_id}`);
		const { name, ...consent } = await this.consent(signs);
		const category = template.record && templateCategory(template.record);
		const replacements = this.item.get(placeholders);
		const { redact } = api;
		return {
			would: redact(this.would([...missing.values()]), MAX_MESSAGE),
			ready: this.problems.length + missing.size === 0,
			preview: true,
			text: rendered?.text ?? null,
			header,
			body,
			footer,
			buttons,
			media: this.media ?? mediaOf(header),
			not_shown: [...new Set([...notShown, ...others])],
			missing: [...missing.values()],
			problems: this.problems.map((problem) => redact(problem, MAX_MESSAGE)),
			template: {
				name: request.body.template_name ?? null,
				language: request.body.template_language ?? null,
				category: category || null,
				status: (template.record && templateStatus(template.record)) || null,
			},
			recipient: {
				...(request.body.customer_id !== undefined && { customer_id: request.body.customer_id }),
				phone_number: signs?.digits ?? null,
				...(name !== undefined && { name }),
			},
			consent,
			/** The body that Send Template would send; `null` if it would refuse the item. */
			request: this.isRefused
				? null
				: {
						...request.body,
						template_components: components,
						...(replacements && { placeholders: replacements }),
					},
		};
	}
}

const mediaOf = (header: RenderedTemplate['header']): Media | null =>
	header?.link && isMediaKind(header.type) ? { type: header.type, source: 'url', url: header.link } : null;

/** Returns the preview of an item's template message, as the customer will read it. Nothing is sent. */
export async function previewTemplate(item: PreviewItem): Promise<INodeExecutionData[]> {
	const preview = await new TemplatePreviewer(item).preview();
	return [{ json: preview as unknown as IDataObject }];
}

const isPreview = (json: unknown): json is Preview => ownMember(json, 'preview') === true;

/** Writes the totals of all previews into each of them. */
export function withTotals(items: INodeExecutionData[]): string | undefined {
	const all = items.map(({ json }): unknown => json).filter(isPreview);
	if (all.length === 0) return undefined;
	const ready = all.filter((one) => one.ready).length;
	const numberWith = (is_opted_in: boolean | null) =>
		all.filter(({ consent }) => consent.is_opted_in === is_opted_in).length;
	const totals = {
		items: all.length,
		ready,
		not_ready: all.length - ready,
		without_consent: numberWith(false),
		unknown_consent: numberWith(null),
	};
	for (const one of all) one.totals = { ...totals };
	const missing = all.flatMap((one) => one.missing);
	return [
		`Nothing was sent. ${totals.ready.toLocaleString('en')} of ${totals.items.toLocaleString('en')} messages are ready`,
		...(missing.length > 0 ? [missingOf(missing)] : []),
		`${totals.without_consent.toLocaleString('en')} without consent, ${totals.unknown_consent.toLocaleString('en')} with unknown consent.`,
	].join('; ');
}
