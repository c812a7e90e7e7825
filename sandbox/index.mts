/** What other packages use: the start of a sandbox in the same process, and what it can be started as. */
import {
	type Sandbox as Started,
	type SandboxOptions,
	type SandboxTenant as StartedTenant,
	startSandbox as start,
} from './server.mts';

export { CHOICES, ENVELOPES, VARIANTS } from './choices.mts';
export type { Choices, VariantName } from './choices.mts';
export type { SeedOptions } from './control/seed.mts';
export type {
	ActiveFault,
	Arrival,
	Delivery,
	DeliveryStatusOptions,
	Difference,
	EnvelopeKind,
	FaultRule,
	Har,
	RecordedRequest,
	Replay,
	SandboxOptions,
	Snapshot,
	TemplateReviewRules,
	WantedMessage,
	WebhookRegistration,
} from './server.mts';

/** A tenant without its insides, which change with each version: `GET /sandbox` tells what it holds. */
export type SandboxTenant = Omit<StartedTenant, 'store' | 'tenant'>;

/** The first tenant, and what belongs to the process. */
export type Sandbox = Omit<Started, 'store' | 'tenant' | 'tenants'> & {
	/** The further tenants, by their names. */
	tenants: Record<string, SandboxTenant>;
};

/** @throws in one sentence, when a sandbox cannot be started like this: see `startSandbox` in the sources. */
export const startSandbox: (options?: SandboxOptions) => Promise<Sandbox> = start;
