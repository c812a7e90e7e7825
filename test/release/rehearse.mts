// node --import tsx test/release/rehearse.mts <folder>: rehearses a release for the runs of jest that RELEASE_REHEARSAL then names
// the folder's rehearsal.json to.
import { writeRehearsal } from './rehearsal.mts';

await writeRehearsal(process.argv[2]);
