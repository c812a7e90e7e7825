/** An answer as a test looks at it. */
export interface Answer {
	status: number;
	headers: Headers;
	/** The JSON of the answer; the text, where it is none. */
	body: unknown;
}

/** Sends a request and reads its answer. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
	const response = await fetch(url, init);
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json') ?? false;
	return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
