/** Signatures, compared with those of the SDK. */
import { S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { createSigner } from '../../../../server/zarr/store/s3/sign.js';

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
])('are those of the SDK: %s', async (path, more) => {
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
