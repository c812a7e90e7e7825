import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import { NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import { type BatchRow, sendBatches } from '../../shared/batches';
import { type ColumnReader, columnReader } from '../../shared/columnReader';
import { type ImportColumn, mappedColumns } from '../../shared/importColumns';
import { type Mapping, mappedPath } from '../../shared/tenantFields';
import { ValueProblem } from '../../shared/values';
import { isObject, unwrapped } from '../../transport/envelope';
import { request } from '../../transport/request';

/** Something about a row that was not imported as it came. */
interface Finding {
	/** Index of the input item. */
	item: number;
	column: string;
	problem: string;
	/** What was done about it. */
	done: 'row skipped' | 'value skipped';
}

interface Row extends BatchRow<IDataObject> {
	findings: Finding[];
}

/** A field, never one of JavaScript's own members. */
const own = (fields: IDataObject, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);

/** A reader for each column that is mapped. */
function readersOf(context: IExecuteFunctions): Array<[ImportColumn, ColumnReader]> {
	const mapping: Mapping = (context.getNode().parameters as { columns?: Mapping }).columns ?? {};
	const columns = mappedColumns(mapping);
	if (mapping.mappingMode === 'autoMapInputData') {
		return columns.map((column) => [
			column,
			({ json }) => own(json, column.id) ?? own(json, column.property),
		]);
	}
	return columns.map((column) => [
		column,
		columnReader(context, mappedPath('columns', column.id), own(mapping.value ?? {}, column.id)),
	]);
}

/** Reads an item as a customer, and what is wrong with it. */
function readRow(readers: Array<[ImportColumn, ColumnReader]>, item: INodeExecutionData, index: number): Row {
	const customer: IDataObject = { channel: 'chatapp' };
	const profile: IDataObject = {};
	const findings: Finding[] = [];
	for (const [{ displayName, property, inProfile, required, convert }, read] of readers) {
		const value = read(item, index);
		const isEmpty = value === undefined || value === null || value === '';
		if (isEmpty && !required) {
			if (value === null && inProfile) profile[property] = null;
			continue;
		}
		const converted = isEmpty ? new ValueProblem('is empty', '') : convert ? convert(value) : value;
		if (converted instanceof ValueProblem) {
			const problem = `${displayName} ${converted.problem}`;
			findings.push({
				item: index,
				column: displayName,
				problem,
				done: required ? 'row skipped' : 'value skipped',
			});
			continue;
		}
		(inProfile ? profile : customer)[property] = converted as IDataObject[string];
	}
	return { item: index, value: { ...customer, profile }, findings };
}

/** Keeps one row of each phone number, as *Repeated Phone Numbers* says; the others are findings. */
function withoutRepetitions(rows: Row[], keep: string, findings: Finding[]): Row[] {
	const kept = new Map<unknown, Row>();
	for (const row of rows) {
		const number = row.value.display_id;
		const before = kept.get(number);
		const loser = before && keep === 'first' ? row : before;
		if (loser) {
			findings.push({
				item: loser.item,
				column: 'Phone Number',
				problem: `Phone Number ${String(number)} is also that of item ${loser === row ? before?.item : row.item}`,
				done: 'row skipped',
			});
		}
		if (loser !== row) {
			// Deleted first, so that the row that wins stands where it came.
			kept.delete(number);
			kept.set(number, row);
		}
	}
	return [...kept.values()];
}

/** Findings that stop the import before anything is sent. */
function failOn(context: IExecuteFunctions, findings: Finding[]): void {
	if (findings.length === 0) return;
	const shown = findings.slice(0, 10).map(({ item, problem }) => `Item ${item}: ${problem}`);
	const more = findings.length > shown.length ? [`… and ${findings.length - shown.length} more`] : [];
	throw new NodeOperationError(
		context.getNode(),
		`${findings.length} values cannot be imported; nothing was sent`,
		{
			itemIndex: findings[0].item,
			description: [...shown, ...more, 'Correct them, or set Invalid Values to skip them.'].join('\n'),
		},
	);
}

/** Counts of all requests in one item, linked to all rows. */
function summary(results: INodeExecutionData[]): INodeExecutionData[] {
	const done = results.filter(({ json }) => json.error === undefined);
	const sums: IDataObject = { requests: done.length };
	for (const { json } of done) {
		for (const [name, count] of Object.entries(json)) {
			if (typeof count === 'number') sums[name] = Number(sums[name] ?? 0) + count;
		}
	}
	const links = done.flatMap(({ pairedItem }) => (Array.isArray(pairedItem) ? pairedItem : []));
	return [{ json: sums, pairedItem: links }, ...results.filter(({ json }) => json.error !== undefined)];
}

/**
 * Imports the customers of all input items.
 *
 * The service skips invalid values without a word, so the rows are checked before anything is sent.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const parameter = (name: string, fallback: string) => this.getNodeParameter(name, 0, fallback) as string;
	const invalid = parameter('invalidValues', 'skipValue');
	const readers = readersOf(this);
	const rows = this.getInputData().map((item, index) => readRow(readers, item, index));
	const findings = rows.flatMap((row) => row.findings);
	if (invalid === 'fail') failOn(this, findings);
	if (invalid === 'skipRow') for (const finding of findings) finding.done = 'row skipped';
	const usable = rows.filter((row) => row.findings.every(({ done }) => done === 'value skipped'));
	const repeated: Finding[] = [];
	const unique = withoutRepetitions(usable, parameter('repeatedNumbers', 'last'), repeated);
	if (parameter('repeatedNumbers', 'last') === 'fail') failOn(this, repeated);

	const duplicates = parameter('duplicates', 'override');
	const results = await sendBatches(this, unique, async (customers) => {
		const { body } = await request(this, {
			method: 'POST',
			url: '/customers/bulk-import',
			body: { duplicates, customers },
		});
		const counts = unwrapped(body);
		return isObject(counts) ? counts : {};
	});
	const output = parameter('output', 'requests') === 'summary' ? summary(results) : results;
	const found = [...findings, ...repeated].sort((a, b) => a.item - b.item);
	// What was skipped is told with the first item, which there may not be when every row was skipped.
	if (found.length > 0) {
		const first = output.find(({ json }) => json.error === undefined);
		if (first) first.json = { ...first.json, findings: found };
		else output.unshift({ json: { findings: found }, pairedItem: found.map(({ item }) => ({ item })) });
	}
	return [output];
}

// Runs as a custom operation, since one request takes many items.
export const routing: INodePropertyRouting = {};

const properties: INodeProperties[] = [
	{
		displayName: 'Existing Customers',
		name: 'duplicates',
		type: 'options',
		options: [
			{ name: 'Override', value: 'override', description: 'Existing customers get the new values' },
			{ name: 'Skip', value: 'skip', description: 'Existing customers stay as they are' },
		],
		default: 'override',
		description: 'What to do with phone numbers that the tenant knows already',
	},
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description: 'Which fields of the input items become which columns of the import',
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getImportColumns',
				mode: 'add',
				fieldWords: { singular: 'column', plural: 'columns' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
	},
	{
		displayName: 'Invalid Values',
		name: 'invalidValues',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'fail', description: 'Nothing is sent when any value is invalid' },
			{ name: 'Skip Row', value: 'skipRow', description: 'The row is left out and reported' },
			{
				name: 'Skip Value',
				value: 'skipValue',
				description: 'The value is left out and reported; a row without phone number or name is left out',
			},
		],
		default: 'skipValue',
		description: 'What to do with phone numbers, dates and email addresses that are none',
	},
	{
		displayName: 'Repeated Phone Numbers',
		name: 'repeatedNumbers',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'fail', description: 'Nothing is sent when two rows have the same number' },
			{
				name: 'Keep First',
				value: 'first',
				description: 'Later rows of the same number are left out and reported',
			},
			{
				name: 'Keep Last',
				value: 'last',
				description: 'Earlier rows of the same number are left out and reported',
			},
		],
		default: 'last',
		description: 'What to do when several rows have the same phone number',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'One Item per Request',
				value: 'requests',
				description: 'The counts of each request of up to 500 rows',
			},
			{ name: 'Summary', value: 'summary', description: 'The counts of all requests together' },
		],
		default: 'requests',
		description: 'What to give out',
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['bulkImport'] } },
	properties,
);
