import { TestTenant } from '../engine/tenant.mts';
import { useLimits } from '../engine/tinyLimits.mts';
import { histories, tellsEachOnce } from './history.mts';

useLimits({
	'polling/readChanges.ts': { MAX_CHANGES: 2, MAX_STRAYS: 1, MAX_ASKED: 1, MAX_GONE: 20, RECORDS_AT_ONCE: 2 },
	'polling/pollState.ts': { MAX_MARKS: 120, MAX_ANNOUNCED: 20, MAX_VALUES: 300, MAX_LENGTH: 3 },
	'polling/departures.ts': { MAX_MISSING: 1 },
});

const tenant = TestTenant.inEachTest({ pageSize: 3, choices: { pageSize: 'ignored' } });

afterEach(() => {
	jest.restoreAllMocks();
	Object.assign(tenant.sandbox.tenant.choices, { orderBy: 'as-asked', profileTimes: 'milliseconds' });
});

describe('where a poll tells two changes at most and remembers little', () => {
	tellsEachOnce(tenant, histories(tenant, Number(process.env.POLLING_RUNS ?? 8)));
});
