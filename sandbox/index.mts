/** What other packages use: the start of a sandbox in the same process, and what it can be started as. */
export { CHOICES, ENVELOPES, VARIANTS } from './choices.mts';
export type { Choices, VariantName } from './choices.mts';
export type { SeedOptions } from './control/seed.mts';
export { startSandbox } from './server.mts';
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
	Sandbox,
	SandboxOptions,
	SandboxTenant,
	Snapshot,
	TemplateReviewRules,
	WantedMessage,
	WebhookRegistration,
} from './server.mts';
