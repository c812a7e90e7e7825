import type { IDataObject } from 'n8n-workflow';

import { request } from '../transport/request';
import { received, sendWith } from '../transport/send';
import { inTurn } from '../transport/turns';
import { idList } from './ids';
import { unwrapped } from '../transport/envelope';
import { tagDirectoryOf } from './tagDirectory';
import { type TagElement, tagSet } from './tags';

/** Gives each element the ID form and leaves out what is there twice. */
function merged(current: IDataObject[], added: TagElement[]): TagElement[] {
	return [...current.map(({ id }) => ({ id: id as number, title: null })), ...added];
}

/** The IDs that the service attaches now, from its answer to a read or a write of a set. */
function idsOf(records: unknown): number[] {
	return (Array.isArray(records) ? (records as IDataObject[]) : []).map(({ id }) => id as number);
}

/**
 * Writes a set of tags, made from the parameters `tagIds` and `tags`.
 *
 * @param keep whether the tags that are attached already stay; they are read first
 */
function tagFlow(keep: boolean) {
	return sendWith(async function (options, requestData) {
		const { url } = options;
		const wanted = tagSet(this);
		return await inTurn(this, url, async () => {
			const attached = keep ? (unwrapped((await request(this, { url })).body) as IDataObject[]) : [];
			const elements = keep ? merged(attached, wanted) : wanted;
			const send = async (tags: TagElement[]) => await request(this, { ...options, body: { tags } });
			// A set of IDs alone needs no look-up.
			const response = elements.some(({ title }) => title !== null)
				? await (
						await tagDirectoryOf(this)
					).sync(elements, async (tags) => {
						const answer = await send(tags);
						return { tags: unwrapped(answer.body), result: answer };
					})
				: await send(
						elements.filter(({ id }, index) => elements.findIndex((other) => other.id === id) === index),
					);
			return await received(this, requestData, response);
		});
	});
}

/** Replaces the tags of a record. */
export const syncTags = tagFlow(false);

/** Adds tags to those that a record has. */
export const addTags = tagFlow(true);

/**
 * Reads a set of IDs, changes it, and writes it back.
 *
 * @param parameter the parameter with the IDs, and its label
 * @param body makes the body from the changed set
 * @param change makes the changed set from the one that is attached
 */
export function changeIds(
	parameter: { name: string; label: string },
	body: (ids: number[]) => IDataObject,
	change: (attached: number[], given: number[]) => number[],
) {
	return sendWith(async function (options, requestData) {
		const { url } = options;
		const given = idList(this, parameter.name, parameter.label);
		return await inTurn(this, url, async () => {
			const attached = idsOf(unwrapped((await request(this, { url })).body));
			const response = await request(this, { ...options, body: body(change(attached, given)) });
			return await received(this, requestData, response);
		});
	});
}

/** Both sets, each element once. */
export const union = (attached: number[], given: number[]) => [...new Set([...attached, ...given])];

/** What is attached without what is given. */
export const without = (attached: number[], given: number[]) => attached.filter((id) => !given.includes(id));

/** A set of groups as the interface takes it. */
export const groupsBody = (ids: number[]) => ({ groups: ids.map((id) => ({ id })) });
