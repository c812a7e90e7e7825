import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';

const MIN_SECRET_LENGTH = 16;

/** The characters that every system sends in a header in the same way. */
const IN_HEADERS = /^[\x20-\x7e]*$/;

/** A name as HTTP allows it. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

const REPLAYABLE =
	'Without a timestamp, whoever has recorded a webhook can send it again after the redelivery window.';

function problemOf(data: ICredentialDataDecryptedObject): string | undefined {
	const isBasic = data.method === 'basicAuth';
	const secret = stringOf(isBasic ? data.password : data.secret);
	const name = isBasic ? 'password' : 'secret';
	const other = isBasic ? data.user : data.method === 'hmac' ? data.signatureHeaderName : data.headerName;
	if (stringOf(other).trim() === '')
		return `The ${isBasic ? 'user name' : 'header name'} is empty. Enter what the service sends.`;
	if (!isBasic && !HEADER_NAME.test(stringOf(other).trim()))
		return 'The header name has a character that no header has. Enter its name alone, without a colon or spaces.';
	if (secret.length < MIN_SECRET_LENGTH)
		return `The ${name} has fewer than ${MIN_SECRET_LENGTH} characters. Choose a longer one and enter it in your account too.`;
	if (secret !== secret.trim())
		return `The ${name} begins or ends with a space or a line break. Enter it without.`;
	if (data.method !== 'hmac' && !IN_HEADERS.test(secret + (isBasic ? stringOf(data.user) : '')))
		return `The ${name} has characters that not every system sends in a header. Use letters without accents, digits and signs.`;
	return data.method === 'hmac' ? problemOfTime(data) : undefined;
}

function problemOfTime(data: ICredentialDataDecryptedObject): string | undefined {
	const { signatureHeaderName, timestampHeaderName, toleranceSeconds = 300 } = data;
	const [signature, timestamp] = [signatureHeaderName, timestampHeaderName].map((name) =>
		stringOf(name).trim().toLowerCase(),
	);
	if (timestamp === '') return undefined;
	if (!HEADER_NAME.test(timestamp))
		return 'The timestamp header name has a character that no header has. Enter its name alone.';
	if (timestamp === signature)
		return 'The timestamp and the signature are in the same header. Enter the header of each.';
	return numericOf(toleranceSeconds) > 0
		? undefined
		: 'The tolerance is not more than 0, so every webhook would be refused. Enter a number of seconds, e.g. 300.';
}

/** Checks whether the credential is complete. It sends no test request, because n8n does not call the tenant. */
export async function checkWebhookSecret(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = problemOf(data);
	if (problem !== undefined) return { status: 'Error', message: problem };
	const isReplayable = data.method === 'hmac' && stringOf(data.timestampHeaderName).trim() === '';
	return {
		status: 'OK',
		message: `Complete. Enter the same in the webhook settings of your account.${isReplayable ? ` ${REPLAYABLE}` : ''}`,
	};
}
