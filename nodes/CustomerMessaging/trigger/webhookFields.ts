import type { IWebhookDescription, NodeParameterValueType } from 'n8n-workflow';

/**
 * How newer versions of n8n (2.41) find the fields of a webhook's description that depend on parameters. Older ones do not
 * know the key and evaluate the expressions.
 */
const RESOLVERS = Symbol.for('n8n.webhookDescriptionResolvers');

interface Field {
	template: string;
	/** Gives what the template gives, some milliseconds sooner for each delivery. */
	resolve: (parameters: Record<string, unknown>) => NodeParameterValueType | undefined;
}

const fields = {
	responseMode: {
		template: '={{ $parameter["responseMode"] }}',
		resolve: ({ responseMode }) => responseMode as string,
	},
	responseData: {
		template: '={{ $parameter["responseMode"] === "lastNode" ? "firstEntryJson" : "noData" }}',
		resolve: ({ responseMode }) => (responseMode === 'lastNode' ? 'firstEntryJson' : 'noData'),
	},
} satisfies Partial<Record<keyof IWebhookDescription, Field>>;

/** The fields of the webhook's description that depend on how the trigger answers. */
export const responseFields = {
	responseMode: fields.responseMode.template,
	responseData: fields.responseData.template,
	[RESOLVERS]: fields,
};
