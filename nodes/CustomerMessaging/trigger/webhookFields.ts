import { dependentFields } from '../n8nInternals/webhookDescription';

/** The fields of the webhook's description that depend on the *Respond* parameter. */
export const responseFields = dependentFields({
	responseMode: {
		template: '={{ $parameter["responseMode"] }}',
		resolve: ({ responseMode }) => responseMode as string,
	},
	responseData: {
		template: '={{ $parameter["responseMode"] === "lastNode" ? "firstEntryJson" : "noData" }}',
		resolve: ({ responseMode }) => (responseMode === 'lastNode' ? 'firstEntryJson' : 'noData'),
	},
});
