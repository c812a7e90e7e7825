import type { INode } from 'n8n-workflow';

import type { WorkflowDefinition } from '../workflow.mts';

/** A place on the canvas. */
export interface Place {
	/** The node or note that takes it. */
	of: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** The side of a node, that of a part of an AI node, and the width of a node with inputs for such parts. */
const SIDE = 96;
const PART = 80;
const WIDE = 224;

/** The name and the operation stand below a node, and may be broader than it. */
const LABEL = { width: 192, height: 80 };

const WIDE_TYPES = ['.agent', '.mcpTrigger'];
const PART_TYPES = ['Tool', '.lmChatOpenAi'];

export const isNote = ({ type }: Pick<INode, 'type'>) => type.endsWith('.stickyNote');

/** How n8n draws a node or note, without its name. */
export function sizeOf(node: INode): { width: number; height: number } {
	if (isNote(node)) {
		const { width, height } = node.parameters as { width: number; height: number };
		return { width, height };
	}
	const isOneOf = (types: string[]) => types.some((type) => node.type.endsWith(type));
	if (isOneOf(PART_TYPES)) return { width: PART, height: PART };
	const outputs = (node.parameters.rules as { values: unknown[] } | undefined)?.values?.length ?? 1;
	return {
		width: isOneOf(WIDE_TYPES) ? WIDE : SIDE,
		// From the third output on, n8n makes room for each.
		height: SIDE + Math.max(0, outputs - 2) * 32,
	};
}

/** The places that a node or note takes: its own, and that of its name. */
export function placesOf(node: INode): Place[] {
	const [left, top] = node.position;
	const { width, height } = sizeOf(node);
	const own = { of: node.name, left, top, right: left + width, bottom: top + height };
	if (isNote(node) || width === WIDE) return [own];
	const middle = left + width / 2;
	const label = {
		of: node.name,
		left: middle - LABEL.width / 2,
		top: own.bottom,
		right: middle + LABEL.width / 2,
		bottom: own.bottom + LABEL.height,
	};
	return [own, label];
}

/** The pairs of nodes and notes that take the same place. */
export function overlapsOf(places: Place[]): string[] {
	const pairs = places.flatMap((one, index) => places.slice(index + 1).map((other) => [one, other]));
	return pairs
		.filter(
			([one, other]) =>
				one.of !== other.of &&
				one.left < other.right &&
				other.left < one.right &&
				one.top < other.bottom &&
				other.top < one.bottom,
		)
		.map(([one, other]) => `${one.of} and ${other.of}`);
}

/** Around what lies on the canvas. */
const MARGIN = 24;

/** The most pixels that a picture is broad. */
const BROADEST = 1200;

/** The part of the canvas that the picture of an example shows, and how big the picture is. */
export function pictureOf({ nodes }: Pick<WorkflowDefinition, 'nodes'>) {
	const places = nodes.flatMap(placesOf);
	const left = Math.min(...places.map((place) => place.left)) - MARGIN;
	const top = Math.min(...places.map((place) => place.top)) - MARGIN;
	const width = Math.max(...places.map((place) => place.right)) + MARGIN - left;
	const height = Math.max(...places.map((place) => place.bottom)) + MARGIN - top;
	const scale = Math.min(1, BROADEST / width);
	return {
		left,
		top,
		width,
		height,
		pixels: { width: Math.round(width * scale), height: Math.round(height * scale) },
	};
}
