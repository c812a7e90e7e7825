import { tellsEachOnce } from './histories.mts';
import { PolledTenant } from './polledTenant.mts';

/** Many more are in test/generated/polling. */
tellsEachOnce(PolledTenant.inEachTest(), 10);
