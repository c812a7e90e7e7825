/** What other packages use: the start of a sandbox in the same process, and what it can be started as. */
import { type Sandbox as Started, type SandboxOptions, startSandbox as start } from './server.mts';

export { CHOICES, ENVELOPES } from './choices.mts';
export type { Choices, EnvelopeKind } from './choices.mts';
export type { Span } from './clock.mts';
export type { SeedOptions } from './control/seed.mts';
export type { ActiveFault, FaultRule } from './faults.mts';
export type { Arrival, WantedMessage } from './messages/arrivals.mts';
export type { RecordedRequest } from './recorder.mts';
export type { Message } from './resources/message.mts';
export type { Delivery, WebhookRegistration } from './resources/webhook.mts';
export type { SandboxOptions } from './server.mts';

/** A sandbox without its insides, which change with each version: `GET /sandbox` tells what it holds. */
export type Sandbox = Omit<Started, 'store' | 'tenant'>;

/** @throws in one sentence, when a sandbox cannot be started like this: see `startSandbox` in the sources. */
export const startSandbox: (options?: SandboxOptions) => Promise<Sandbox> = start;
