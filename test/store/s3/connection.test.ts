import { S3Client } from '@aws-sdk/client-s3';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect, type ConnectionOptions } from '../../../server/store/s3/connection.js';
import { createSigner } from '../../../server/store/s3/sign.js';
import { folderOfTest } from '../../setup/temporary-folder.js';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI' };
const open = (options: Partial<ConnectionOptions> = {}, region?: string) =>
  connect(
    { bucket: 'my-bucket', credentials, maxSockets: 4, connectMs: 1000, silenceMs: 1000, ...options },
    region,
  );

describe('bucket locations', () => {
  let folder = '';
  beforeEach(async () => {
    folder = folderOfTest('aws');
    for (const name of ['AWS_REGION', 'AWS_PROFILE', 'AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
  });

  test.each<[string, Partial<ConnectionOptions>, string]>([
    ['nothing is configured', {}, 'https://my-bucket.s3.us-east-1.amazonaws.com/'],
    ['a region', { region: 'eu-west-1' }, 'https://my-bucket.s3.eu-west-1.amazonaws.com/'],
    ['path style', { pathStyle: true }, 'https://s3.us-east-1.amazonaws.com/my-bucket'],
    [
      'an endpoint means path style',
      { endpoint: 'http://127.0.0.1:9000' },
      'http://127.0.0.1:9000/my-bucket',
    ],
    [
      'an endpoint without path style',
      { endpoint: 'http://localhost:9000', pathStyle: false },
      'http://my-bucket.localhost:9000/',
    ],
    ['an endpoint with a path', { endpoint: 'https://host/s3/' }, 'https://host/s3/my-bucket'],
    [
      'a name that is not a host name',
      { bucket: 'my.bucket' },
      'https://s3.us-east-1.amazonaws.com/my.bucket',
    ],
  ])('%s', async (_, options, base) => {
    const connection = await open(options);
    expect(connection.base.href).toBe(base);
    connection.client.destroy();
  });

  test('environment variables are the fallback', async () => {
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    expect((await open()).region).toBe('eu-central-1');
    expect((await open({ region: 'eu-west-1' })).region).toBe('eu-west-1');
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9001');
    expect((await open()).base.href).toBe('http://127.0.0.1:9001/my-bucket');
    expect((await open({ endpoint: 'http://127.0.0.1:9000' })).base.host).toBe('127.0.0.1:9000');
  });

  test('a profile has region and credentials', async () => {
    await writeFile(join(folder, 'config'), '[profile mine]\nregion = ap-south-1\n');
    await writeFile(
      join(folder, 'credentials'),
      '[mine]\naws_access_key_id = AKIDMINE\naws_secret_access_key = s\n',
    );
    const connection = await open({ profile: 'mine', credentials: undefined });
    expect(connection.region).toBe('ap-south-1');
    const signed = await connection.sign('GET', new URL('https://host/x'), {});
    expect(signed['authorization']).toContain('Credential=AKIDMINE/');
    expect(signed['authorization']).toContain('/ap-south-1/s3/aws4_request');
  });

  test('the region reported by the server takes precedence', async () => {
    expect((await open({ region: 'eu-west-1' }, 'eu-north-1')).region).toBe('eu-north-1');
  });

  test('the host and all headers are signed', async () => {
    const { sign } = await open({ credentials: { ...credentials, sessionToken: 'token' } });
    const signed = await sign('GET', new URL('http://host:9000/b/x'), {
      range: 'bytes=0-1',
      'if-match': '"x"',
    });
    expect(signed).toMatchObject({ host: 'host:9000', 'x-amz-security-token': 'token' });
    expect(signed['authorization']).toMatch(
      /SignedHeaders=host;if-match;range;x-amz-content-sha256;x-amz-date/,
    );
  });

  test('anonymous requests need no credentials and get no signature', async () => {
    const { sign } = await open({ anonymous: true, credentials: undefined });
    expect(await sign('GET', new URL('http://host/x'), { range: 'bytes=0-1' })).toEqual({
      host: 'host',
      range: 'bytes=0-1',
    });
  });

  test.each([
    ['access key', { accessKeyId: 'AKID\n' }],
    ['session token', { sessionToken: 'token\n' }],
    ['session token', { sessionToken: 'to ken' }],
    ['session token', { sessionToken: 'tok\u00e9n' }],
  ])('a character of the %s that headers do not allow is an error', async (name, wrong) => {
    const connection = await open({ credentials: { ...credentials, ...wrong } });
    const refused = { code: 'STORE_DENIED', message: expect.stringContaining(`the S3 ${name} contains`) };
    const url = new URL('http://host/b/x');
    await expect(connection.sign('GET', url, {})).rejects.toMatchObject(refused);
    await expect(connection.sign('GET', url, {})).rejects.toMatchObject(refused);
    await expect(connection.assertCredentials()).rejects.toMatchObject(refused);
    await expect(connection.renewCredentials()).rejects.toMatchObject(refused);
  });

  test('directory buckets are not supported', async () => {
    await expect(open({ bucket: 'my-bucket--usw2-az1--x-s3' })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
  });
});

const region = 'eu-west-1';
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

async function signedBySdk(
  path: string,
  headers: Record<string, string>,
  credentials: typeof keys & { sessionToken?: string },
  time: Date,
): Promise<string | undefined> {
  const client = new S3Client({ region, credentials });
  const signer = await client.config.signer({
    ...{ name: 'sigv4', signingName: 's3', signingRegion: region, properties: {} },
  });
  const request = {
    ...{ method: 'GET', protocol: 'https:', hostname: 'b.example', path, query: {} },
    headers: { ...headers, 'x-amz-content-sha256': emptyHash },
  };
  const { headers: signed } = await signer.sign(request, { signingDate: time, signingRegion: region });
  return signed['authorization'];
}

test.each([
  ['/', {}],
  ['/bucket/a/c/0/0', { range: 'bytes=0-16383' }],
  ['/bucket/a%20b%2Bc/%C3%A4/d..e', { range: 'bytes=-8', 'if-match': '"abc"' }],
  ['/b/k~_-.k', { 'if-none-match': '"x  y"', 'x-amz-request-payer': 'requester' }],
])('signatures equal those of the AWS SDK: %s', async (path, more) => {
  const headers = { ...more, host: 'b.example:9000', 'x-amz-checksum-mode': 'ENABLED' };
  const sign = createSigner(region);
  for (const [day, credentials] of [
    [1, keys],
    [1, { ...keys, sessionToken: 'token/=' }],
    [1, { ...keys, sessionToken: '' }],
    [2, { ...keys, secretAccessKey: 'another' }],
    [3, keys],
  ] as const) {
    const time = new Date(Date.UTC(2031, 0, day, 23, 59, 59, 999));
    const signed = sign({ method: 'GET', path, headers }, credentials, time);
    expect(signed['authorization']).toBe(await signedBySdk(path, headers, credentials, time));
    expect(signed).toMatchObject(headers);
  }
});
