/** Which part of a list is wanted. */
export interface Window {
	offset: number;
	limit: number;
}

/** A part of a list, and how many records the whole list has. */
export interface Slice<Item> {
	records: Item[];
	total: number;
}

/** The whole list; SQLite takes -1 as no limit. */
export const LIST_ALL: Window = { offset: 0, limit: -1 };
