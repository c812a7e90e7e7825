import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** Path parameters whose type the interface shows as a string, or does not show; all others are integer IDs. */
const NOT_INTEGER = new Set(['conversationId', 'fileUuid', 'notificationUuid']);

/** What an ID in a path is called: `profileId` becomes "Profile ID". */
function labelOf(parameterName: string): string {
	return parameterName
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/\b(id|uuid|pin)\b/gi, (word) => word.toUpperCase())
		.replace(/^./, (letter) => letter.toUpperCase());
}

/**
 * An error about one parameter of the current item.
 *
 * @param label the parameter's name as the editor shows it
 */
export function parameterError(
	context: IExecuteSingleFunctions,
	label: string,
	problem: string,
	remedy: string,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), `${label} ${problem}`, {
		description: remedy,
		itemIndex: context.getItemIndex(),
	});
}

/**
 * A parameter that ends up in the path of a request, for the current item.
 *
 * @returns the value, URL-encoded
 * @throws NodeOperationError when it is empty or not of the type that the interface shows
 */
export function pathSegment(context: IExecuteSingleFunctions, parameterName: string): string {
	const label = labelOf(parameterName);
	const value = context.getNodeParameter(parameterName, undefined, { extractValue: true });
	const typed = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (typed === '') {
		throw parameterError(
			context,
			label,
			'is empty',
			'Choose a record from the list or enter its ID. If it comes from an expression, check that the item before has that field.',
		);
	}
	if (!NOT_INTEGER.has(parameterName) && !/^\d+$/.test(typed)) {
		throw parameterError(
			context,
			label,
			'is not a whole number',
			'Enter the numeric ID of the record, e.g. 42.',
		);
	}
	if (/^\.+$/.test(typed)) {
		throw parameterError(context, label, 'is not an ID', 'Enter the ID of the record.');
	}
	return encodeURIComponent(typed);
}

/**
 * Fills the `{parameterName}` places of a path with the parameters of the current item.
 *
 * @param template a path of the interface, e.g. `/profiles/{profileId}/tags`
 */
export function fillPath(context: IExecuteSingleFunctions, template: string): string {
	return template.replace(/\{(\w+)\}/g, (_, parameterName: string) => pathSegment(context, parameterName));
}
