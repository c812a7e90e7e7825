/** What other packages use: the start of a sandbox in the same process, and what it can be started as. */
import { type Sandbox as Started, type SandboxOptions, startSandbox as start } from './server.mts';

export { CHOICES, ENVELOPES } from './choices.mts';
export type { Choices } from './choices.mts';
export type * from './server.mts';

/** A sandbox without its insides, which change with each version: `GET /sandbox` tells what it holds. */
export type Sandbox = Omit<Started, 'store' | 'tenant'>;

/** @throws in one sentence, when a sandbox cannot be started like this: see `startSandbox` in the sources. */
export const startSandbox: (options?: SandboxOptions) => Promise<Sandbox> = start;
