import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../../../server/zarr/store/s3/connection.js';
import type { ConnectionOptions } from '../../../../server/zarr/store/s3/connection.js';
import { folderOfTest } from '../../../setup/temporary-folder.js';

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
      'unless configured otherwise',
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

  test('directory buckets are not supported', async () => {
    await expect(open({ bucket: 'my-bucket--usw2-az1--x-s3' })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
  });
});
