/** Credentials of Google Cloud: their sources, and the requests for tokens. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { authorizeGoogle } from '../../../server/store/cloud/google-credentials.js';
import { startTokenServer, type TokenServer } from '../../cloud/token-server.js';
import { folderOfTest } from '../../setup/temporary-folder.js';

let server: TokenServer;
beforeEach(async () => {
  server = await startTokenServer();
});
afterEach(() => {
  vi.useRealTimers();
  server.stop();
});

const request = { method: 'GET', address: new URL('https://storage.example/'), headers: { range: 'bytes=0-1' }, signal: undefined } as const; // prettier-ignore
const keys = await generateKeyPair('RS256', { extractable: true });
const keyFile = async (changes: Record<string, unknown> = {}): Promise<string> =>
  JSON.stringify({
    type: 'service_account',
    client_email: 'reader@project.iam.gserviceaccount.com',
    private_key_id: 'id',
    private_key: await exportPKCS8(keys.privateKey),
    token_uri: `${server.url}/token`,
    ...changes,
  });

const tokenOf = async (
  credentials: string | undefined,
  env: Record<string, string> = {},
): Promise<string | undefined> =>
  (await authorizeGoogle({ anonymous: false, credentials }, env).authorize(request)).headers['authorization'];

describe('credentials of Google Cloud', () => {
  test('a service account signs a statement for its token server', async () => {
    expect(await tokenOf(await keyFile())).toBe('Bearer token-1');
    const { form, method } = server.requests[0] ?? {};
    expect([method, form?.get('grant_type')]).toEqual([
      'POST',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ]);
    const { payload, protectedHeader } = await jwtVerify(form?.get('assertion') ?? '', keys.publicKey, {
      audience: `${server.url}/token`,
      issuer: 'reader@project.iam.gserviceaccount.com',
    });
    expect(payload).toMatchObject({ scope: expect.stringContaining('devstorage') });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'id' });
  });

  test('the file of GOOGLE_APPLICATION_CREDENTIALS', async () => {
    const path = join(folderOfTest('gcloud'), 'key.json');
    writeFileSync(path, await keyFile());
    expect(await tokenOf(undefined, { GOOGLE_APPLICATION_CREDENTIALS: path })).toBe('Bearer token-1');
  });

  test('the service account of the machine', async () => {
    const env = { GCE_METADATA_HOST: new URL(server.url).host, CLOUDSDK_CONFIG: '/nowhere' };
    expect(await tokenOf(undefined, env)).toBe('Bearer token-1');
    expect(server.requests[0]).toMatchObject({ method: 'GET', headers: { 'metadata-flavor': 'Google' } });
    expect(server.requests[0]?.url).toMatch(
      /^\/computeMetadata\/v1\/instance\/service-accounts\/default\/token\?/,
    );
  });

  test('one token serves many requests until shortly before it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { authorize, renew } = authorizeGoogle({ anonymous: false, credentials: await keyFile() }, {});
    const next = async (): Promise<string | undefined> => (await authorize(request)).headers['authorization'];
    expect(await Promise.all([next(), next(), next()])).toEqual([
      'Bearer token-1',
      'Bearer token-1',
      'Bearer token-1',
    ]);
    vi.setSystemTime(Date.now() + 54 * 60_000);
    expect(await next()).toBe('Bearer token-1');
    vi.setSystemTime(Date.now() + 2 * 60_000);
    expect(await next()).toBe('Bearer token-2');
    expect(renew()).toBe(true);
    expect(await next()).toBe('Bearer token-3');
  });

  test('anonymous requests carry no credentials', async () => {
    const { authorize, renew } = authorizeGoogle({ anonymous: true, credentials: undefined }, {});
    expect((await authorize(request)).headers).toEqual(request.headers);
    expect(renew()).toBe(false);
  });

  test.each([
    ['another type', { type: 'external_account' }, { code: 'UNSUPPORTED' }],
    ['no key', { private_key: undefined }, { code: 'STORE_DENIED' }],
    ['an invalid key', { private_key: 'secret' }, { code: 'STORE_DENIED' }],
    [
      'a token server without encryption',
      { token_uri: 'http://evil.example/token' },
      { code: 'STORE_DENIED' },
    ],
    ['no address of a token server', { token_uri: 'secret' }, { code: 'STORE_DENIED' }],
  ])('%s is refused, without showing it', async (_, changes, error) => {
    const refused: unknown = await tokenOf(await keyFile(changes)).catch((reason: unknown) => reason);
    expect(refused).toMatchObject(error);
    expect(String(refused)).not.toMatch(/secret|evil|PRIVATE/);
  });

  test.each([
    ['a refusal', { status: 400, body: '{"error":"invalid_grant","secret":"x"}' }],
    ['no token', { status: 200, body: '{"expires_in":3600}' }],
    ['a token that does not expire', { status: 200, body: '{"access_token":"a"}' }],
    ['a token with a line break', { status: 200, body: '{"access_token":"a\\nx: y","expires_in":3600}' }],
    ['no JSON', { status: 200, body: 'secret' }],
    ['a redirect', { status: 302, body: '', location: '/secret' }],
  ])('%s of the token server is denied', async (_, response) => {
    const usual = server.respond;
    server.respond = (request) => (request === 1 ? response : usual(request));
    const refused: unknown = await tokenOf(await keyFile()).catch((reason: unknown) => reason);
    expect(refused).toMatchObject({ code: 'STORE_DENIED' });
    expect(String(refused)).not.toMatch(/secret/);
    expect(server.requests).toHaveLength(1);
  });

  test('without any credentials, the message says what to set', async () => {
    await expect(tokenOf(undefined, { GCE_METADATA_HOST: '127.0.0.1:1', CLOUDSDK_CONFIG: '/nowhere' })).rejects.toThrow(/anonymous=true/); // prettier-ignore
    await expect(tokenOf(undefined, { GOOGLE_APPLICATION_CREDENTIALS: '/nowhere/secret' })).rejects.toThrow(/cannot be read$/); // prettier-ignore
  });
});
