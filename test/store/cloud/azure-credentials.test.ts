/** Credentials of Azure Storage; the signature by account keys is checked by Azurite (test/store/azure.test.ts). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authorizeAzure, type AzureCredentials } from '../../../server/store/cloud/azure-credentials.js';
import { startTokenServer, type TokenServer } from '../../cloud/token-server.js';
import { folderOfTest } from '../../setup/temporary-folder.js';

let server: TokenServer;
beforeEach(async () => {
  server = await startTokenServer();
});
afterEach(() => server.stop());

const none: AzureCredentials = {
  ...{ account: 'account', anonymous: false, accountKey: undefined, sas: undefined },
  ...{ tenantId: undefined, clientId: undefined, clientSecret: undefined },
};
const request = { method: 'GET', address: new URL('https://account.blob.core.windows.net/c/b?comp=x'), headers: {}, signal: undefined } as const; // prettier-ignore
const signed = (credentials: Partial<AzureCredentials>, env: Record<string, string> = {}) =>
  authorizeAzure({ ...none, ...credentials }, env).authorize(request);

describe('credentials of Azure', () => {
  test('a shared access signature is added to the query', async () => {
    for (const found of [
      await signed({ sas: '?sv=1&sig=a%2Bb' }),
      await signed({}, { AZURE_STORAGE_SAS_TOKEN: 'sv=1&sig=a%2Bb' }),
    ])
      // prettier-ignore
      expect(Object.fromEntries(found.address.searchParams)).toEqual({ comp: 'x', sv: '1', sig: 'a+b' });
    expect(() => authorizeAzure({ ...none, sas: 'sv=1' }, {})).toThrow(/no signature/);
  });

  test('the key of the account signs requests', async () => {
    const { headers } = await signed({ accountKey: Buffer.from('key').toString('base64') });
    expect(headers).toMatchObject({
      authorization: expect.stringMatching(/^SharedKey account:[A-Za-z0-9+/]{43}=$/),
    });
    expect(() => authorizeAzure({ ...none, accountKey: 'no base64!' }, {})).toThrow(/not valid base64/);
  });

  test('a client secret, of options or variables', async () => {
    const { headers } = await signed({ tenantId: 'tenant', clientId: 'client', clientSecret: 'secret' }, { AZURE_AUTHORITY_HOST: server.url }); // prettier-ignore
    expect(headers).toEqual({ authorization: 'Bearer token-1' });
    expect(server.requests[0]?.url).toBe('/tenant/oauth2/v2.0/token');
    expect(Object.fromEntries(server.requests[0]?.form ?? [])).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client',
      client_secret: 'secret',
      scope: 'https://storage.azure.com/.default',
    });
    await signed({}, { AZURE_AUTHORITY_HOST: server.url, AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c', AZURE_CLIENT_SECRET: 's' }); // prettier-ignore
    expect(server.requests[1]?.url).toBe('/t/oauth2/v2.0/token');
    await expect(signed({ tenantId: '../x', clientId: 'c', clientSecret: 's' })).rejects.toThrow(/tenant/);
  });

  test('a federated token of Kubernetes', async () => {
    const path = join(folderOfTest('azure'), 'token');
    writeFileSync(path, 'federated\n');
    await signed({}, { AZURE_AUTHORITY_HOST: server.url, AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c', AZURE_FEDERATED_TOKEN_FILE: path }); // prettier-ignore
    expect(server.requests[0]?.form.get('client_assertion')).toBe('federated');
  });

  test('a managed identity', async () => {
    const env = { IDENTITY_ENDPOINT: `${server.url}/msi`, IDENTITY_HEADER: 'header' };
    const { headers } = await signed({ clientId: 'client' }, env);
    expect(headers).toEqual({ authorization: 'Bearer token-1' });
    expect(server.requests[0]?.headers).toMatchObject({ 'x-identity-header': 'header' });
    expect(server.requests[0]?.url).toBe('/msi?api-version=2019-08-01&resource=https%3A%2F%2Fstorage.azure.com%2F&client_id=client'); // prettier-ignore
    server.respond = () => ({ status: 200, body: '{"access_token":"text","expires_in":"86399"}' });
    expect((await signed({}, env)).headers).toEqual({ authorization: 'Bearer text' });
  });

  test('options of a store have precedence over variables; prefixes without credentials send none', async () => {
    const { address, headers } = await signed({ sas: 'sig=own' }, { AZURE_STORAGE_KEY: 'a2V5' });
    expect([address.searchParams.get('sig'), headers]).toEqual(['own', {}]);
    expect(await signed({ anonymous: true }, { AZURE_STORAGE_KEY: 'a2V5' })).toMatchObject({ headers: {} });
  });

  test('errors contain no secrets', async () => {
    server.respond = () => ({ status: 401, body: 'secret' });
    const refused: unknown = await signed({ tenantId: 't', clientId: 'c', clientSecret: 'secret' }, { AZURE_AUTHORITY_HOST: server.url }).catch((error: unknown) => error); // prettier-ignore
    expect(refused).toMatchObject({ code: 'STORE_DENIED', message: expect.stringContaining('401') });
    expect(String(refused)).not.toMatch(/secret/);
  });
});
