import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { loadedPackage, workbench } from './engine.mts';

const CREDENTIAL = 'customerMessagingApi';

/** The nodes that n8n may ask, whichever it finds first. */
const TESTING_NODES = ['customerMessaging', 'customerMessagingPollingTrigger'];

/**
 * Tests a credential as n8n does when a person presses Test: it calls the function of a node, in a context that can only
 * send requests.
 *
 * @param name of the node that n8n asks
 */
export async function testCredential(
	data: ICredentialDataDecryptedObject,
	name = TESTING_NODES[0],
): Promise<INodeCredentialTestResult> {
	const loader = await loadedPackage();
	// n8n prefers the request of a credential to the function of a node.
	expect(loader.getCredential(CREDENTIAL).type.test).toBeUndefined();
	const { nodeType, additionalData } = await workbench({
		type: `n8n-nodes-customer-messaging.${name}`,
		parameters: {},
	});
	const testedBy = nodeType.description.credentials?.find((one) => one.name === CREDENTIAL)?.testedBy;
	const test = nodeType.methods?.credentialTest?.[String(testedBy)];
	if (!test) throw new Error(`${name} does not test ${CREDENTIAL}`);
	const context = new CredentialTestContext(additionalData) as ICredentialTestFunctions;
	return await test.call(context, {
		id: '1',
		name: 'Tenant',
		type: CREDENTIAL,
		data,
	} as ICredentialsDecrypted);
}

/** What n8n shows of a failed test; undefined when it passed. */
export async function failureOfCredentialTest(
	data: ICredentialDataDecryptedObject,
): Promise<string | undefined> {
	const { status, message } = await testCredential(data);
	return status === 'OK' ? undefined : message;
}
