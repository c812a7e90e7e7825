import { tellsEachOnce } from '../../polling/histories.mts';
import { PolledTenant } from '../../polling/polledTenant.mts';

tellsEachOnce(PolledTenant.inEachTest(), Number(process.env.POLLING_RUNS ?? 500));
