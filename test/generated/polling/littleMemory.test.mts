import { useLimits } from '../../engine/tinyLimits.mts';
import { tellsEachOnce } from '../../polling/histories.mts';
import { PolledTenant } from '../../polling/polledTenant.mts';

useLimits({ 'polling/differences.ts': { MAX_LATEST: 150 }, 'polling/memory.ts': { MAX_BYTES: 300 } });

describe('where a poll remembers little', () => tellsEachOnce(PolledTenant.inEachTest(), 8));
