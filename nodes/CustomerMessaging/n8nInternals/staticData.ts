import { type IDataObject, sleep } from 'n8n-workflow';

/**
 * Makes n8n store a text in the static data of a node. n8n promises neither the time of this write, after the execution
 * has begun, nor that it serializes with `toJSON`. n8n 2.41 wraps the data once more before that write, so the member is
 * set again after that.
 */
export function keepInStaticData(staticData: IDataObject, member: string, write: () => string): void {
	const put = () => {
		staticData[member] = { toJSON: write } as unknown as IDataObject;
	};
	put();
	void sleep(0).then(put);
}
