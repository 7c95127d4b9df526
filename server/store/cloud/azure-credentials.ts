/**
 * Credentials of Azure Storage: a signature in the query (SAS), the key of the account, or a token of Entra ID for a client
 * secret, a federated token or a managed identity. Each is one documented request; `@azure/identity` takes 52 MB.
 */
import { createHmac } from 'node:crypto';
import { StoreDeniedError } from '../../core/errors.js';
import { compareCodePoints } from '../keys.js';
import type { Authorization, CloudRequest } from './service.js';
import { type AccessToken, createTokenCache, readSecretFile, requestToken } from './tokens.js';

const RESOURCE = 'https://storage.azure.com/';
const LOGIN = 'https://login.microsoftonline.com';
const METADATA_ADDRESS = 'http://169.254.169.254/metadata/identity/oauth2/token';
const NO_CREDENTIALS =
  'no credentials of Azure; set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN, AZURE_CLIENT_ID with a secret, or options of the store, run on a machine with a managed identity, or set anonymous=true';

type Environment = Readonly<Record<string, string | undefined>>;

export interface AzureCredentials {
  readonly account: string;
  readonly anonymous: boolean;
  readonly accountKey: string | undefined;
  readonly sas: string | undefined;
  readonly tenantId: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

/** @throws StoreDeniedError for an invalid key or signature */
export function authorizeAzure(credentials: AzureCredentials, env: Environment = process.env): Authorization {
  const { account, anonymous } = credentials;
  if (anonymous) return fixed(({ address, headers }) => ({ address, headers }));
  const isGiven = [credentials.accountKey, credentials.sas, credentials.clientSecret, credentials.clientId].some((each) => each !== undefined); // prettier-ignore
  const sas = credentials.sas ?? (isGiven ? undefined : env['AZURE_STORAGE_SAS_TOKEN']);
  if (sas !== undefined) return fixed(withSignature(sas));
  const key = credentials.accountKey ?? (isGiven ? undefined : env['AZURE_STORAGE_KEY']);
  if (key !== undefined) return fixed(withSharedKey(account, key));
  const cache = createTokenCache(() => loadToken(credentials, env));
  return {
    async authorize({ address, headers }) {
      return { address, headers: { ...headers, authorization: `Bearer ${await cache.token()}` } };
    },
    renew() {
      cache.discard();
      return true;
    },
  };
}

type Signed = Pick<CloudRequest, 'address' | 'headers'>;

function fixed(sign: (request: CloudRequest) => Signed): Authorization {
  return { authorize: async (request) => sign(request), renew: () => false };
}

function withSignature(sas: string): (request: CloudRequest) => Signed {
  const parameters = [...new URLSearchParams(sas.replace(/^\?/, '').trim())];
  if (!parameters.some(([name]) => name === 'sig'))
    throw new StoreDeniedError('the SAS of the store has no signature');
  return ({ address, headers }) => {
    const signed = new URL(address);
    for (const [name, value] of parameters) signed.searchParams.set(name, value);
    return { address: signed, headers };
  };
}

const signedHeaders = [
  'content-encoding', 'content-language', 'content-length', 'content-md5', 'content-type', 'date', 'if-modified-since',
  'if-match', 'if-none-match', 'if-unmodified-since', 'range',
]; // prettier-ignore

/** "Authorize with Shared Key", version 2015-02-21 and later. */
function withSharedKey(account: string, key: string): (request: CloudRequest) => Signed {
  const secret = Buffer.from(key, 'base64');
  if (secret.length === 0 || secret.toString('base64') !== key.trim())
    throw new StoreDeniedError('the account key of the store is not valid base64');
  return ({ method, address, headers, body }) => {
    const dated: Record<string, string> = { ...headers, 'x-ms-date': new Date().toUTCString() };
    const length = body === undefined || body.length === 0 ? '' : String(body.length);
    const values = signedHeaders.map((name) => (name === 'content-length' ? length : (dated[name] ?? '')));
    const own = Object.keys(dated)
      .filter((name) => name.startsWith('x-ms-'))
      .sort(compareCodePoints);
    const query = [...address.searchParams].sort(([left], [right]) => compareCodePoints(left, right));
    const text = [
      method,
      ...values,
      ...own.map((name) => `${name}:${dated[name]}`),
      `/${account}${address.pathname}`,
      ...query.map(([name, value]) => `${name.toLowerCase()}:${value}`),
    ].join('\n');
    const signature = createHmac('sha256', secret).update(text).digest('base64');
    return { address, headers: { ...dated, authorization: `SharedKey ${account}:${signature}` } };
  };
}

async function loadToken(given: AzureCredentials, env: Environment): Promise<AccessToken> {
  const tenantId = given.tenantId ?? env['AZURE_TENANT_ID'];
  const clientId = given.clientId ?? env['AZURE_CLIENT_ID'];
  const clientSecret = given.clientSecret ?? env['AZURE_CLIENT_SECRET'];
  const federated = env['AZURE_FEDERATED_TOKEN_FILE'];
  if (tenantId !== undefined && clientId !== undefined && (clientSecret ?? federated) !== undefined) {
    if (!/^[A-Za-z0-9.-]+$/.test(tenantId)) throw new StoreDeniedError('the tenant of the store is invalid');
    const authority = env['AZURE_AUTHORITY_HOST'] ?? LOGIN;
    const proof: Record<string, string> =
      clientSecret === undefined
        ? {
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            client_assertion: (
              await readSecretFile(federated ?? '', 'the file of AZURE_FEDERATED_TOKEN_FILE')
            ).trim(),
          }
        : { client_secret: clientSecret };
    return requestToken('Entra ID', `${authority.replace(/\/$/, '')}/${tenantId}/oauth2/v2.0/token`, {
      method: 'POST',
      headers: {},
      form: { grant_type: 'client_credentials', client_id: clientId, scope: `${RESOURCE}.default`, ...proof },
    });
  }
  return ofManagedIdentity(clientId, env);
}

/** Of App Service and Functions, or of a virtual machine. */
async function ofManagedIdentity(clientId: string | undefined, env: Environment): Promise<AccessToken> {
  const endpoint = env['IDENTITY_ENDPOINT'];
  const secret = env['IDENTITY_HEADER'];
  const isApp = endpoint !== undefined && secret !== undefined;
  const address = new URL(isApp ? endpoint : METADATA_ADDRESS);
  address.searchParams.set('api-version', isApp ? '2019-08-01' : '2018-02-01');
  address.searchParams.set('resource', RESOURCE);
  if (clientId !== undefined) address.searchParams.set('client_id', clientId);
  const headers: Record<string, string> = isApp ? { 'x-identity-header': secret } : { metadata: 'true' };
  try {
    return await requestToken('the managed identity', address.href, { method: 'GET', headers });
  } catch (cause) {
    throw new StoreDeniedError(NO_CREDENTIALS, { cause });
  }
}
