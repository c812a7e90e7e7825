import path from 'node:path';

import { readWorkflow, type WorkflowDefinition } from '../n8n/workflow';

const exampleFile = (name: string) => path.join(__dirname, '..', '..', 'examples', `${name}.json`);

/** The examples as they are shipped. */
export const customerJourney: WorkflowDefinition = readWorkflow(exampleFile('customer-journey'));
export const newAgentMessage: WorkflowDefinition = readWorkflow(exampleFile('new-agent-message'));

/** Names of nodes in them. */
export const MANUAL_START = "When clicking 'Execute workflow'";
export const AGENT_MESSAGE_TRIGGER = 'New Agent Message';
