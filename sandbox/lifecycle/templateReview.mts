import { TEMPLATE_REVIEW, TEMPLATE_STATUS, type TemplateStatus } from '../choices.mts';
import type { Plan } from '../resources/plan.mts';
import type { Template } from '../resources/template.mts';
import type { Tenant } from '../tenant.mts';

export interface TemplateReviewRules {
	/** Milliseconds until a new template is approved; null when that is only done by hand. */
	approveAfter: number | null;
}

/** Templates wait for approval before they can be sent. */
export class TemplateReview {
	/** Undefined while a template is approved as soon as it is created. */
	rules?: TemplateReviewRules;

	constructor(private readonly tenant: Tenant) {}

	switchOn(rules: Partial<TemplateReviewRules> = {}): void {
		this.rules = { ...TEMPLATE_REVIEW, ...rules };
	}

	/** Templates that wait keep waiting for a decision by hand. */
	switchOff(): void {
		this.rules = undefined;
		this.tenant.store.plans.giveUp('template');
	}

	/** Creates a template with the status that it begins with. */
	create(name: string, language: string, fields: Record<string, unknown>): Template {
		const { store, agenda } = this.tenant;
		if (!this.rules) return store.templates.create(name, language, fields);
		const { approveAfter } = this.rules;
		return store.database.transaction(() => {
			const template = store.templates.create(name, language, fields, TEMPLATE_STATUS.pending);
			if (approveAfter !== null) {
				agenda.add({
					kind: 'template',
					record_id: template.id,
					status: TEMPLATE_STATUS.approved,
					detail: null,
					due_at: store.clock.now() + approveAfter,
				});
			}
			return template;
		});
	}

	carryOut({ record_id }: Plan): void {
		this.tenant.store.templates.review(record_id, TEMPLATE_STATUS.approved);
	}

	/**
	 * Decides by hand, also about a template that was decided about before.
	 * @returns undefined if there is no such template
	 */
	review(id: number, status: TemplateStatus, reason?: string): Template | undefined {
		this.tenant.store.plans.giveUp('template', id);
		return this.tenant.store.templates.review(id, status, reason);
	}
}
