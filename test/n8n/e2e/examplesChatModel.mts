import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A message of a chat, as chat-completion APIs have it. */
export interface ChatMessage {
	role: string;
	content: string | null;
	tool_call_id?: string;
}

/** What the model is asked: the chat so far, and the tools that it may call. */
export interface ChatRequest {
	messages: ChatMessage[];
	tools?: Array<{ function: { name: string; description: string; parameters: object } }>;
	/** Whether the answer is wanted in pieces, as agents before version 2 do. */
	stream?: boolean;
}

/** What it answers: the call of a tool, or its last words. */
export type ChatTurn = { tool: string; arguments: object } | { text: string };

/** A chat model that says what it is told to. */
export interface ChatModel {
	/** For the credential of the chat model in n8n. */
	url: string;
	/** What it was asked, the oldest first. */
	requests: ChatRequest[];
	close(): Promise<void>;
}

/**
 * Starts a server of the chat-completions API.
 *
 * @param turn gives the answer to a request; what it throws ends up in the answer, so that the execution shows it
 */
export async function startChatModel(turn: (request: ChatRequest) => ChatTurn): Promise<ChatModel> {
	const requests: ChatRequest[] = [];
	const server = createServer((request, response) => {
		const answer = async () => {
			const asked = (await json(request)) as ChatRequest;
			requests.push(asked);
			const [type, body] = asked.stream
				? ['text/event-stream', streamed(turn(asked), requests.length)]
				: ['application/json', JSON.stringify(completion(turn(asked), requests.length))];
			response.writeHead(200, { 'content-type': type }).end(body);
		};
		answer().catch((error: Error) =>
			response
				.writeHead(400, { 'content-type': 'application/json' })
				.end(JSON.stringify({ error: { message: error.message } })),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		requests,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const CREATED = { id: 'chatcmpl', created: 0, model: 'gpt-4.1-mini' };

/** What the model says, and why it stops there. */
function said(turn: ChatTurn, number: number) {
	if ('text' in turn) return { message: { role: 'assistant', content: turn.text }, finish_reason: 'stop' };
	const { tool: name, arguments: given } = turn;
	const call = {
		id: `call_${number}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(given) },
	};
	return { message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' };
}

function completion(turn: ChatTurn, number: number) {
	return {
		...CREATED,
		object: 'chat.completion',
		choices: [{ index: 0, ...said(turn, number) }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/** The same in one piece of a stream. */
function streamed(turn: ChatTurn, number: number): string {
	const { message, finish_reason } = said(turn, number);
	const tool_calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
	const delta = { ...message, ...(tool_calls && { tool_calls }) };
	const piece = {
		...CREATED,
		object: 'chat.completion.chunk',
		choices: [{ index: 0, delta, finish_reason }],
	};
	return `data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`;
}

/**
 * What a model with the tools of a recipe would do with "Tag <name> as <tag>", or "Hand <name> over to a colleague": it looks the
 * person up, adds the tag or hands over, and says so.
 */
export function taggingTurn({ messages, tools = [] }: ChatRequest): ChatTurn {
	const toolFor = (word: RegExp) => {
		const found = tools.find(({ function: { description } }) => word.test(description));
		if (!found) throw new Error(`No tool for ${word.source}`);
		return found.function.name;
	};
	const wish = messages.find(({ role }) => role === 'user')?.content ?? '';
	const [, name, tag] = /^(?:Tag|Hand) (.+?) (?:as (.+)|over to a colleague)$/.exec(wish) ?? [];
	const answers = messages.filter(({ role }) => role === 'tool');
	if (answers.length === 0)
		return { tool: toolFor(/Finds customer profiles/), arguments: { search: name.split(' ')[0] } };
	if (answers.length > 1) return { text: `${name} is ${tag ? 'tagged' : 'with a colleague'} now.` };
	const [, id] = (tag ? /"id":\s*(\d+)/ : /"customer_id":\s*(\d+)/).exec(answers[0].content ?? '') ?? [];
	if (id === undefined) return { text: `There is no ${name}.` };
	if (!tag) return { tool: toolFor(/Hands a person over/), arguments: { customer_id: Number(id) } };
	return { tool: toolFor(/Adds a tag/), arguments: { profile_id: Number(id), tag } };
}
