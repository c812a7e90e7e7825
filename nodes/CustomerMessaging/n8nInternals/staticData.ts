import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

// n8n writes a node's static data where they are marked as changed, once it has begun to execute, as JSON. Nothing promises
// when, nor that it asks what stands there for its JSON.

/**
 * Has n8n keep a text in the static data of a node, as it is at the moment when n8n writes it.
 *
 * On its way there n8n wraps the same data anew and loses the mark (2.41), so what is put there has to be put there again
 * after that.
 *
 * @param staticData of the node, see `getWorkflowStaticData`
 * @param write gives the text; called when n8n writes
 */
export function keepInStaticData(staticData: IDataObject, member: string, write: () => string): void {
	const put = () => {
		staticData[member] = { toJSON: write } as unknown as IDataObject;
	};
	put();
	void sleep(0).then(put);
}
