// Packs the compiled package as it is published, into the folder of the project.
import { packInto } from './packing.mts';

await packInto('.');
