import { readdirSync } from 'node:fs';
import path from 'node:path';

import { readWorkflow, type WorkflowDefinition } from '../workflow.mts';

/** Where the examples lie. */
export const EXAMPLES_FOLDER = path.join(import.meta.dirname, '../../../examples');

/** The names of all examples, without `.json`. */
export const exampleNames = readdirSync(EXAMPLES_FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => path.basename(file, '.json'));

/** An example as it is shipped. */
export const readExample = (name: string): WorkflowDefinition =>
	readWorkflow(path.join(EXAMPLES_FOLDER, `${name}.json`));

export const customerJourney = readExample('customer-journey');
export const newAgentMessage = readExample('new-agent-message');
export const csvBulkImport = readExample('csv-bulk-import');
export const crmTagSync = readExample('crm-tag-sync');
export const orderShippedTemplate = readExample('order-shipped-template');
export const consentForm = readExample('consent-form');
export const failedMessageTicket = readExample('failed-message-ticket');
export const aiAgentTags = readExample('ai-agent-tags');
export const optOutLink = readExample('opt-out-link');
export const mcpServer = readExample('mcp-server');
export const groupCampaign = readExample('group-campaign');
export const failedMessageFallback = readExample('failed-message-fallback');
export const undeliveredNextMorning = readExample('undelivered-next-morning');
export const agentEvaluation = readExample('agent-evaluation');
export const appointmentConfirmation = readExample('appointment-confirmation');

/** Names of nodes in them. */
export const MANUAL_START = "When clicking 'Execute workflow'";
export const AGENT_MESSAGE_TRIGGER = 'New Agent Message';
