import type { IBinaryData, ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';

/** A node of the workflow that is measured. */
export interface JobNode {
	/** Full name of its type, e.g. `n8n-nodes-base.httpRequest`; the version is the one that n8n adds by default. */
	type: string;
	parameters: INodeParameters;
	/** Settings such as `retryOnFail`. */
	settings?: Partial<INode>;
}

/** What goes into the first node. */
export type JobInput =
	/**
	 * People with `displayId`, `firstName`, `lastName`, `name` and `email`; `first` tells the people of a run from those of others.
	 * One in each item, or `perItem` of them as its `rows`.
	 */
	| { people: number; first: number; perItem?: number }
	/** One item with this file of n8n's binary store, as `data`. */
	| { stored: IBinaryData };

/** One execution of a workflow: the nodes one after another. */
export interface Job {
	nodes: JobNode[];
	input: JobInput;
	/** Data of the credentials by their type. */
	credentials: Record<string, ICredentialDataDecryptedObject>;
	/** Writes a CPU profile of the execution to this file. */
	profile?: string;
}

/** What an execution gave and took. */
export interface JobResult {
	milliseconds: number;
	/** Of the whole process: all threads, user and system. */
	cpuMilliseconds: number;
	/** Items that the last node gave out. */
	items: number;
	/** Those of them that hold an error; all of the input when the execution failed. */
	failed: number;
	/** Why the execution failed, if it did. */
	error?: string;
	/** Resident memory before the execution, and at the highest during it, in MB. */
	idleMegabytes: number;
	peakMegabytes: number;
}

/** What many executions at once gave and took. */
export interface TogetherResult {
	/** From the first start to the last end. */
	milliseconds: number;
	failed: number;
	/** Why the first of them failed. */
	error?: string;
}

/** What an execution gave and took, with small ones beside it. */
export interface BesideResult extends JobResult {
	/** Milliseconds that each of the small executions took. */
	beside: number[];
	/** Those of them that failed. */
	besideFailed: number;
}
