import { createServer, type RequestListener, type Server } from 'node:http';

/** The name of the tenant that there always is. */
export const FIRST_TENANT = 'sandbox';

/** A part of a host name. It begins with a letter, since no tenant is named like an address. */
const NAME = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** @throws in one sentence, when a tenant cannot have this name or two have the same. */
export function checkTenantNames(names: readonly string[]): void {
	for (const [index, name] of names.entries()) {
		if (!NAME.test(name) || name === 'localhost') {
			throw new Error(
				`A tenant is named as a part of a host name, with small letters, digits and hyphens, not "${name}".`,
			);
		}
		if (name === FIRST_TENANT || names.indexOf(name) < index) {
			throw new Error(`There is already a tenant of the name "${name}".`);
		}
	}
}

/** The first part of the host name that a request is addressed to: in it, tenants differ. */
export const tenantPart = (host = ''): string => host.split(/[.:]/, 1)[0].toLowerCase();

/**
 * Tells the tenants of a process apart by the name that a request is addressed to. Each has a port too, for clients that
 * cannot resolve such names: there, requests that name no tenant are for this one.
 */
export class TenantSwitch {
	private readonly handlers = new Map<string, RequestListener>();

	/** A server that listens for one tenant, and hands over what is addressed to another one. */
	serverFor(tenant: string, handler: RequestListener): Server {
		this.handlers.set(tenant, handler);
		return createServer((request, response) => {
			const named = this.handlers.get(tenantPart(request.headers.host)) ?? handler;
			named(request, response);
		});
	}
}
