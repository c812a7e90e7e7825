import type { FastifyInstance } from 'fastify';
import {
	MESSAGE_FROM,
	MESSAGE_STATUS,
	type MessageStatus,
	TEMPLATE_STATUS,
	type TemplateStatus,
} from '../choices.mts';
import { type DeliveryStatusOptions, reasonOf } from '../lifecycle/deliveryStatuses.mts';
import type { TemplateReviewRules } from '../lifecycle/templateReview.mts';
import { existing, invalid } from '../refusal.mts';
import type { Tenant } from '../tenant.mts';

const ID = { type: 'object', properties: { id: { type: 'integer' } } };
const text = { type: 'string', minLength: 1 };
/** A hundred years. */
const LONGEST_MS = 3_155_760_000_000;
const after = { type: ['integer', 'null'], minimum: 0, maximum: LONGEST_MS };

/** What `DeliveryStatusOptions` says, as a schema. */
export const DELIVERY_STATUSES = {
	type: 'object',
	additionalProperties: false,
	properties: {
		sent: after,
		delivered: after,
		read: after,
		failing: {
			type: 'object',
			additionalProperties: false,
			properties: {
				after: { type: 'integer', minimum: 0, maximum: LONGEST_MS },
				numbers: {
					type: 'array',
					items: {
						type: 'string',
						pattern: '^[1-9][0-9]{6,14}$',
						title: 'a phone number of 7 to 15 digits, without +',
					},
				},
				probability: { type: 'number', minimum: 0, maximum: 1 },
				seed: { type: 'integer', minimum: 0 },
				type: text,
				message: text,
			},
		},
	},
};

const OF_AGENTS = Object.values(MESSAGE_STATUS).filter((status) => status !== MESSAGE_STATUS.received);

const STATUS_BODY = {
	type: 'object',
	required: ['status'],
	additionalProperties: false,
	properties: { status: { enum: OF_AGENTS }, type: text, message: text },
};

/** What `TemplateReviewRules` says, as a schema. */
export const TEMPLATE_REVIEW = {
	type: 'object',
	additionalProperties: false,
	properties: { approveAfter: after },
};

const REVIEW_BODY = {
	type: 'object',
	required: ['status'],
	additionalProperties: false,
	properties: { status: { enum: Object.values(TEMPLATE_STATUS) }, reason: text },
};

/** What becomes of messages after they were accepted. */
function addDeliveryStatusRoutes(plane: FastifyInstance, { deliveryStatuses, store }: Tenant): void {
	const state = () => ({ data: deliveryStatuses.rules ?? null });
	plane.get('/sandbox/delivery-statuses', state);

	plane.post<{ Body: DeliveryStatusOptions }>(
		'/sandbox/delivery-statuses',
		{ schema: { body: DELIVERY_STATUSES } },
		({ body }) => {
			deliveryStatuses.switchOn(body);
			return state();
		},
	);

	plane.delete('/sandbox/delivery-statuses', () => {
		deliveryStatuses.switchOff();
		return state();
	});

	plane.post<{ Params: { id: number }; Body: { status: MessageStatus; type?: string; message?: string } }>(
		'/sandbox/messages/:id/status',
		{ schema: { params: ID, body: STATUS_BODY } },
		({ params, body: { status, ...reason } }) => {
			const { from } = existing(store.conversations.findMessage(params.id), 'Message');
			if (from !== MESSAGE_FROM.agent) throw invalid({ id: ['The message is of a customer.'] });
			const isFailed = status === MESSAGE_STATUS.failed;
			if (!isFailed && Object.keys(reason).length > 0) {
				throw invalid({ status: ['Only a message that failed has an error.'] });
			}
			return { data: deliveryStatuses.set(params.id, status, isFailed ? reasonOf(reason) : undefined) };
		},
	);
}

/** What becomes of templates after they were created. */
function addTemplateReviewRoutes(plane: FastifyInstance, { templateReview }: Tenant): void {
	const state = () => ({ data: templateReview.rules ?? null });
	plane.get('/sandbox/template-review', state);

	plane.post<{ Body: Partial<TemplateReviewRules> }>(
		'/sandbox/template-review',
		{ schema: { body: TEMPLATE_REVIEW } },
		({ body }) => {
			templateReview.switchOn(body);
			return state();
		},
	);

	plane.delete('/sandbox/template-review', () => {
		templateReview.switchOff();
		return state();
	});

	plane.post<{ Params: { id: number }; Body: { status: TemplateStatus; reason?: string } }>(
		'/sandbox/templates/:id/review',
		{ schema: { params: ID, body: REVIEW_BODY } },
		({ params, body: { status, reason } }) => {
			if (reason !== undefined && status !== TEMPLATE_STATUS.rejected) {
				throw invalid({ reason: ['Only a template that was rejected has a reason.'] });
			}
			return { data: existing(templateReview.review(params.id, status, reason), 'Template') };
		},
	);
}

/** Statuses that follow later: of messages and of templates. */
export function addLifecycleRoutes(plane: FastifyInstance, tenant: Tenant): void {
	addDeliveryStatusRoutes(plane, tenant);
	addTemplateReviewRoutes(plane, tenant);
}
