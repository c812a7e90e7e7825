import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { numericOf } from '../values/numbers';
import { quote, stringOf } from '../values/text';

const MIN_SECRET_LENGTH = 16;

/** 24 bytes or more in Base64, which Standard Webhooks asks for. */
const STANDARD_SECRET = /^(?:whsec_)?[A-Za-z\d+/]{32,}={0,2}$/;

/** The characters that every system sends in a header in the same way. */
const IN_HEADERS = /^[\x20-\x7e]*$/;

/** The characters of a name as HTTP allows it. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]*$/;

const REPLAYABLE =
	'Without a timestamp, whoever has recorded a webhook can send it again after the redelivery window.';

const typed = (value: unknown) => stringOf(value).trim();

function problemOf(data: ICredentialDataDecryptedObject): string | undefined {
	if (data.method === 'standardWebhooks')
		return STANDARD_SECRET.test(typed(data.secret))
			? undefined
			: 'The secret is not whsec_ with at least 24 bytes in Base64. Enter it as your account shows it.';
	const isBasic = data.method === 'basicAuth';
	const isSigned = data.method === 'hmac';
	const secret = stringOf(isBasic ? data.password : data.secret);
	const name = isBasic ? 'password' : 'secret';
	const other = typed(isBasic ? data.user : isSigned ? data.signatureHeaderName : data.headerName);
	const timestamp = isSigned ? typed(data.timestampHeaderName) : '';
	if (other === '')
		return `The ${isBasic ? 'user name' : 'header name'} is empty. Enter what the service sends.`;
	const wrong = [isBasic ? '' : other, timestamp].find((header) => !HEADER_NAME.test(header));
	if (wrong !== undefined)
		return `No header is named "${quote(wrong)}". Enter a name without spaces or a colon.`;
	if (timestamp.toLowerCase() === other.toLowerCase())
		return 'The timestamp and the signature are in the same header. Enter the header of each.';
	if (timestamp !== '' && !(numericOf(data.toleranceSeconds ?? 1) > 0))
		return 'The tolerance is not more than 0, so every webhook would be refused. Enter seconds, e.g. 300.';
	if (secret.length < MIN_SECRET_LENGTH)
		return `The ${name} has fewer than ${MIN_SECRET_LENGTH} characters. Choose a longer one and enter it in your account too.`;
	if (secret !== secret.trim())
		return `The ${name} begins or ends with a space or a line break. Enter it without.`;
	if (!isSigned && !IN_HEADERS.test(secret + (isBasic ? stringOf(data.user) : '')))
		return `The ${name} has characters that not every system sends in a header. Use letters without accents, digits and signs.`;
	return undefined;
}

/** Checks whether the credential is complete. It sends no test request, because n8n does not call the tenant. */
export async function checkWebhookSecret(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = problemOf(data);
	if (problem !== undefined) return { status: 'Error', message: problem };
	const isReplayable = data.method === 'hmac' && typed(data.timestampHeaderName) === '';
	return {
		status: 'OK',
		message: `Complete. Enter the same values in the webhook settings of your account.${isReplayable ? ` ${REPLAYABLE}` : ''}`,
	};
}
