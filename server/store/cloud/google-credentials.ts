/**
 * Credentials of Google Cloud, as "application default credentials" are found: a file of a service account or a user,
 * or the account of the machine. Each is one documented request; `google-auth-library` takes 13 MB.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { StoreDeniedError, UnsupportedError } from '../../core/errors.js';
import type { Authorization } from './service.js';
import { type AccessToken, createTokenCache, parsedObject, readSecretFile, requestToken } from './tokens.js';

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';
const TOKEN_ADDRESS = 'https://oauth2.googleapis.com/token';
const METADATA_PATH = '/computeMetadata/v1/instance/service-accounts/default/token';
const NO_CREDENTIALS =
  'no credentials of Google Cloud; set GOOGLE_APPLICATION_CREDENTIALS or gcs.credentials, run on a machine with a service account, or set anonymous=true';

type Environment = Readonly<Record<string, string | undefined>>;

export interface GoogleCredentials {
  readonly anonymous: boolean;
  /** The JSON key of a service account. */
  readonly credentials: string | undefined;
}

export function authorizeGoogle(
  { anonymous, credentials }: GoogleCredentials,
  env: Environment = process.env,
): Authorization {
  if (anonymous)
    return { authorize: async ({ address, headers }) => ({ address, headers }), renew: () => false };
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

async function loadToken(credentials: string | undefined, env: Environment): Promise<AccessToken> {
  if (credentials !== undefined) return tokenOf(credentials);
  const given = env['GOOGLE_APPLICATION_CREDENTIALS'];
  const path =
    given ??
    join(env['CLOUDSDK_CONFIG'] ?? join(homedir(), '.config/gcloud'), 'application_default_credentials.json');
  if (given !== undefined || existsSync(path))
    return tokenOf(await readSecretFile(path, 'the file of GOOGLE_APPLICATION_CREDENTIALS'));
  const host = env['GCE_METADATA_HOST'] ?? 'metadata.google.internal';
  try {
    return await requestToken('the metadata server', `http://${host}${METADATA_PATH}?scopes=${SCOPE}`, {
      method: 'GET',
      headers: { 'metadata-flavor': 'Google' },
    });
  } catch (cause) {
    throw new StoreDeniedError(NO_CREDENTIALS, { cause });
  }
}

async function tokenOf(text: string): Promise<AccessToken> {
  const file = parsedObject(text);
  const read = (name: string): string => {
    const value = file?.[name];
    if (typeof value === 'string') return value;
    throw new StoreDeniedError(`the credentials of Google Cloud have no ${name}`);
  };
  const type = read('type');
  if (type === 'service_account') return ofServiceAccount(read);
  if (type === 'authorized_user')
    return requestToken('the token server', TOKEN_ADDRESS, {
      method: 'POST',
      headers: {},
      form: {
        ...{ grant_type: 'refresh_token', refresh_token: read('refresh_token') },
        ...{ client_id: read('client_id'), client_secret: read('client_secret') },
      },
    });
  throw new UnsupportedError(
    'credentials of Google Cloud of this type are not supported; use the key of a service account, or the service account of the machine',
  );
}

/** RFC 7523: a signed statement is exchanged for a token. */
async function ofServiceAccount(read: (name: string) => string): Promise<AccessToken> {
  const { importPKCS8, SignJWT } = await import('jose');
  const address = tokenAddress(read('token_uri'));
  let assertion: string;
  try {
    const key = await importPKCS8(read('private_key'), 'RS256');
    assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: read('private_key_id') })
      .setIssuer(read('client_email'))
      .setAudience(address)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key);
  } catch (cause) {
    if (cause instanceof StoreDeniedError) throw cause;
    throw new StoreDeniedError('the private key of the service account is invalid', { cause });
  }
  return requestToken('the token server', address, {
    method: 'POST',
    headers: {},
    form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
  });
}

/** The statement is sent in clear text only to this machine, for tests. */
function tokenAddress(uri: string): string {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const isLocal = url?.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (url?.protocol !== 'https:' && !isLocal)
    throw new StoreDeniedError('the token_uri of the service account is no https: URL');
  return uri;
}
