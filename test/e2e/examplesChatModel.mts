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
			return completion(turn(asked), requests.length);
		};
		answer().then(
			(body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
			(error: Error) =>
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

function completion(turn: ChatTurn, number: number) {
	const message =
		'text' in turn
			? { role: 'assistant', content: turn.text }
			: {
					role: 'assistant',
					content: null,
					tool_calls: [
						{
							id: `call_${number}`,
							type: 'function',
							function: { name: turn.tool, arguments: JSON.stringify(turn.arguments) },
						},
					],
				};
	return {
		id: `chatcmpl-${number}`,
		object: 'chat.completion',
		created: 0,
		model: 'gpt-4.1-mini',
		choices: [{ index: 0, message, finish_reason: 'text' in turn ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
