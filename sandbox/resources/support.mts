import { readFileSync } from 'node:fs';
import {
	ACTIVITY_TYPES,
	ALLOWED_MIME_TYPES,
	CALLING_CODES,
	CHANNELS,
	MEDIA_SIZE_LIMITS,
	PRICING,
	TEMPLATE_LANGUAGES,
} from '../choices.mts';
import { CONTRACT_FILE } from '../contract.mts';
import type { Operations } from './operation.mts';

/** Facts about the tenant that never change. */
export const operations = {
	getOpenApiDescription({ reply, tenant }) {
		reply.type('text/yaml; charset=utf-8');
		return tenant.description ?? readFileSync(CONTRACT_FILE, 'utf8');
	},
	listChannels: () => ({ data: CHANNELS }),
	listActivityTypes: () => ({ data: ACTIVITY_TYPES }),
	getAllowedMimeTypes: () => ({ data: ALLOWED_MIME_TYPES }),
	getMediaSizeLimits: () => ({ data: MEDIA_SIZE_LIMITS }),
	getChatappPricing: () => ({ data: { pricing: PRICING, calling_codes: CALLING_CODES } }),
	listChatappTemplateLanguages: () => ({ data: TEMPLATE_LANGUAGES }),
} satisfies Operations;
