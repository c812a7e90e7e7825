// Packs what is compiled as it is published, into the folder of the project: the n8n package, or the workspace that is named.
import { packInto } from './packing.mts';

await packInto('.', process.argv[2]);
