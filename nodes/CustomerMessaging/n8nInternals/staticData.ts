import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

// n8n stores a node's static data as JSON after the execution has begun, if the data are marked as changed. n8n does
// not promise the time of this write. It also does not promise that it serializes with `toJSON`.

/**
 * Makes n8n store a text in the static data of a node. n8n calls `write` for the text at the moment when it stores the
 * data.
 *
 * n8n 2.41 wraps the same data again before it stores them, and loses the change mark. So the function sets the member
 * a second time after that.
 *
 * @param staticData of the node, see `getWorkflowStaticData`
 * @param member name of the member that holds the text
 * @param write returns the text; n8n calls it when it stores the data
 */
export function keepInStaticData(staticData: IDataObject, member: string, write: () => string): void {
	const put = () => {
		staticData[member] = { toJSON: write } as unknown as IDataObject;
	};
	put();
	void sleep(0).then(put);
}
