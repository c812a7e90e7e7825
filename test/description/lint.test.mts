import nodeCli from '@n8n/node-cli/eslint';
import { ESLint, type Linter } from 'eslint';
import type { INodeProperties } from 'n8n-workflow';
import tseslint from 'typescript-eslint';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials.ts';
import { CustomerMessagingWebhookApi } from '../../credentials/CustomerMessagingWebhookApi.credentials.ts';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node.ts';
import { CustomerMessagingPollingTrigger } from '../../nodes/CustomerMessaging/CustomerMessagingPollingTrigger.node.ts';
import { CustomerMessagingTrigger } from '../../nodes/CustomerMessaging/CustomerMessagingTrigger.node.ts';
import { expectNone } from '../engine/expectNone.mts';

/** What the rules find and stays, by the parameter and the line, each with the reason. */
const STAYS: Record<string, string> = {
	'optIn: default: "",': "Nobody's consent is withdrawn because a choice was overlooked.",
};

/** Orders are checked by optionOrder.test.mts, which knows those that mean something. */
const isOfOrder = (rule: string) => rule.endsWith('-unsorted-items');

/** The rules for parameters that n8n's own linter has for the sources of nodes, where it sees only whole literals. */
function rulesForParameters(): Linter.Config {
	const [plugin] = nodeCli.filter(({ plugins }) => plugins && 'n8n-nodes-base' in plugins);
	const rules = nodeCli.flatMap(({ files, rules = {} }) =>
		files?.includes('./nodes/**/*.ts') ? Object.entries(rules) : [],
	);
	return {
		files: ['**/*.ts'],
		plugins: plugin.plugins as Linter.Config['plugins'],
		languageOptions: { parser: tseslint.parser as Linter.Parser },
		rules: Object.fromEntries(
			rules.filter(([name]) => name.startsWith('n8n-nodes-base/node-param-') && !isOfOrder(name)),
		) as Linter.RulesRecord,
	};
}

/** Writes a description as code: names that are identifiers stand without quotes, as the rules expect. */
const asCode = (properties: INodeProperties[]) =>
	`export const properties: INodeProperties[] = ${JSON.stringify(properties, null, '\t').replace(/^(\t*)"([A-Za-z_]\w*)":/gm, '$1$2:')};\n`;

const eslint = new ESLint({
	overrideConfigFile: true,
	overrideConfig: rulesForParameters(),
});

/** Returns what n8n's rules say about parameters, with the line that they mean. */
async function problemsOf(owner: string, properties: INodeProperties[]): Promise<string[]> {
	const code = asCode(properties);
	const lines = code.split('\n');
	const [{ messages }] = await eslint.lintText(code, { filePath: `${owner}.node.ts` });
	const nameBefore = (end: number) =>
		lines
			.slice(0, end)
			.findLast((line) => line.startsWith('\t\tname: '))
			?.slice('\t\tname: "'.length, -'",'.length);
	return messages
		.map(({ ruleId, line, message }) => {
			const place = `${nameBefore(line)}: ${lines[line - 1].trim()}`;
			return { place, text: `${owner}: ${place}\n    ${ruleId}: ${message}` };
		})
		.filter(({ place }) => !(place in STAYS))
		.map(({ text }) => text);
}

const owners = {
	CustomerMessaging: new CustomerMessaging().description.properties,
	CustomerMessagingPollingTrigger: new CustomerMessagingPollingTrigger().description.properties,
	CustomerMessagingTrigger: new CustomerMessagingTrigger().description.properties,
	CustomerMessagingApi: new CustomerMessagingApi().properties,
	CustomerMessagingWebhookApi: new CustomerMessagingWebhookApi().properties,
};

it.each(Object.entries(owners))(
	"n8n's rules find nothing in a parameter of %s",
	async (owner, properties) => {
		expectNone(await problemsOf(owner, properties));
	},
);
