import type { IDataObject } from 'n8n-workflow';

/** An expression that only names a field of the item: `={{ $json.a }}` or `={{ $json["a b"].c }}`. */
const FIELD = /^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:"[^"\\]*"|'[^'\\]*')\])+)\s*\}\}$/;

/**
 * The names along the path of an expression that only names a field of the item; undefined for any other expression.
 *
 * n8n takes up to 0.3 ms to evaluate an expression, whatever it says. Such a one can be read from the item itself.
 */
export function fieldPath(expression: string): string[] | undefined {
	const path = FIELD.exec(expression)?.[1];
	if (path === undefined) return undefined;
	const names = path.matchAll(/\.([A-Za-z_$][\w$]*)|\["([^"]*)"\]|\['([^']*)'\]/g);
	return [...names].map(([, a, b, c]) => a ?? b ?? c);
}

/** What stands at a path of an item's fields; undefined where it does not lead anywhere. */
export function fieldAt(fields: IDataObject, path: string[]): unknown {
	return path.reduce<unknown>(
		(value, name) =>
			typeof value === 'object' && value !== null && Object.hasOwn(value, name)
				? (value as IDataObject)[name]
				: undefined,
		fields,
	);
}
