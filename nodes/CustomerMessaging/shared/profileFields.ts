import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isoDate } from './dates';
import { type Conversion, convertBody } from './values';

interface ProfileField {
	parameter: INodeProperties;
	/** Name on the wire. */
	property: string;
	convert?: Conversion;
}

function text(
	displayName: string,
	name: string,
	property: string,
	placeholder: string,
	description: string,
): ProfileField {
	return {
		parameter: { displayName, name, type: 'string', default: '', placeholder, description },
		property,
	};
}

/** The writable fields that the interface shows of a profile, in the order of its table. */
export const profileFields: ProfileField[] = [
	text('Address', 'address', 'address', 'e.g. 1 Example Street, Berlin', 'The postal address'),
	text('Custom 1', 'custom1', 'custom_1', 'e.g. Gold', 'The first field of the tenant’s own'),
	text('Custom 2', 'custom2', 'custom_2', 'e.g. Gold', 'The second field of the tenant’s own'),
	text('Custom 3', 'custom3', 'custom_3', 'e.g. Gold', 'The third field of the tenant’s own'),
	text('Custom 4', 'custom4', 'custom_4', 'e.g. Gold', 'The fourth field of the tenant’s own'),
	text('Custom 5', 'custom5', 'custom_5', 'e.g. Gold', 'The fifth field of the tenant’s own'),
	{
		...text(
			'Date of Birth',
			'dateOfBirth',
			'date_of_birth',
			'e.g. 1990-05-17',
			'The birthday as YYYY-MM-DD or DD.MM.YYYY, or a date made by n8n',
		),
		convert: isoDate,
	},
	text('Email', 'email', 'email', 'e.g. name@email.com', 'The email address'),
	{
		parameter: {
			displayName: 'Marketing Opt In',
			name: 'marketingOptIn',
			type: 'boolean',
			default: false,
			description:
				'Whether the person agreed to marketing messages. Profile: Set Marketing Consent records it with time and proof.',
		},
		property: 'marketing_opt_in',
		convert: Number,
	},
];

/** The profile fields as options of a collection, each sent as a member of the body. */
export const routedProfileFields: INodeProperties[] = profileFields.map(
	({ parameter, property, convert }) => ({
		...parameter,
		routing: {
			send: {
				type: 'body',
				property,
				...(convert && { preSend: [convertBody(property, parameter.displayName, convert)] }),
			},
		},
	}),
);

/** The profile fields as options of a collection, to be read by `profileOf`. */
export const plainProfileFields: INodeProperties[] = profileFields.map(({ parameter }) => parameter);

/**
 * A profile as bulk import takes it, from the values of a collection with `plainProfileFields`.
 *
 * @param convert converts one value and throws when it cannot
 */
export function profileOf(
	values: IDataObject,
	convert: (label: string, conversion: Conversion, value: unknown) => unknown,
): IDataObject {
	const profile: IDataObject = {};
	for (const { parameter, property, convert: conversion } of profileFields) {
		const value = values[parameter.name];
		if (value === undefined || value === '') continue;
		profile[property] = (
			conversion && value !== null ? convert(parameter.displayName, conversion, value) : value
		) as IDataObject[string];
	}
	return profile;
}
