import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { INodeTypeDescription, IRun } from 'n8n-workflow';

import { generation } from './generation.mts';
import { runN8n } from './process.mts';
import type { N8nInstance } from './settings.mts';
import type { CredentialDefinition, WorkflowDefinition } from './workflow.mts';

/**
 * Runs one n8n command to its end and gives what it printed.
 *
 * @param proof what the output contains when it worked: some commands only log their failure
 * @throws Error with the end of the output when it failed
 */
export async function n8nCommand(instance: N8nInstance, args: string[], proof: RegExp): Promise<string> {
	const command = await runN8n(instance, args);
	const { exitCode } = await command.ended;
	const output = command.log().join('\n');
	if (exitCode === 0 && proof.test(output)) return output;
	throw new Error(`n8n ${args.join(' ')} failed (exit code ${exitCode})\n${output.slice(-3_000)}`);
}

/** Imports credentials in plain text; one with a known id is replaced. */
export async function importCredentials(instance: N8nInstance, credentials: CredentialDefinition[]) {
	await withJsonFile(credentials, async (file) => {
		await n8nCommand(instance, ['import:credentials', `--input=${file}`], /Successfully imported \d/);
	});
}

/** Imports workflows; one with a known id is replaced, and is then not published. */
export async function importWorkflows(instance: N8nInstance, workflows: WorkflowDefinition[]) {
	await withJsonFile(workflows, async (file) => {
		await n8nCommand(instance, ['import:workflow', `--input=${file}`], /Successfully imported \d/);
	});
}

/** Publishes the current version of a workflow, for the next start of n8n. */
export async function publishWorkflow(instance: N8nInstance, id: string) {
	const command = generation === 1 ? ['update:workflow', '--active=true'] : ['publish:workflow'];
	await n8nCommand(instance, [...command, `--id=${id}`], /restart n8n/i);
}

/** The descriptions of all node types that n8n loads, community packages included. */
export async function exportNodes(instance: N8nInstance): Promise<INodeTypeDescription[]> {
	return await withJsonFile([], async (file) => {
		await n8nCommand(instance, ['export:nodes', `--output=${file}`], /Successfully exported/);
		return JSON.parse(await readFile(file, 'utf8')) as INodeTypeDescription[];
	});
}

/** Runs a workflow that begins with a manual trigger, without a server. */
export async function executeWorkflow(instance: N8nInstance, id: string): Promise<IRun> {
	const output = await n8nCommand(instance, ['execute', `--id=${id}`, '--rawOutput'], /^\{$/m);
	return JSON.parse(output.slice(output.search(/^\{$/m))) as IRun;
}

async function withJsonFile<T>(content: unknown, use: (file: string) => Promise<T>): Promise<T> {
	const folder = await mkdtemp(path.join(tmpdir(), 'n8n-command-'));
	try {
		const file = path.join(folder, 'data.json');
		await writeFile(file, JSON.stringify(content));
		return await use(file);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
