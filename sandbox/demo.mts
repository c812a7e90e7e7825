import { allResources } from './resources/index.mts';
import { demoPicture } from './resources/media.mts';
import type { Store } from './store/store.mts';

/** Fills an empty store with a small tenant that looks like a real one. All people in it are invented. */
export async function addDemoData(store: Store): Promise<void> {
	const picture = await demoPicture();
	store.database.transaction(() => {
		for (const [, { demo }] of allResources) demo?.(store, picture);
	});
}
