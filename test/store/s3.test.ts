import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, describe, beforeAll, expect, test } from 'vitest';
import { createS3Store } from '../../server/store/s3.js';
import { describeStore } from '../contracts/store.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import { startS3Server } from '../s3/server.js';

const server = await startS3Server();
if (!('missing' in server)) afterAll(() => server.stop());

describe.skipIf('missing' in server)('against a real server', () => {
  if ('missing' in server) return;
  for (const [name, prefix] of [
    ['a whole bucket', ''],
    ['a prefix', '/some where/100%25'],
  ])
    describeStore(`s3, ${name}`, {
      async open(contents) {
        const store = storeOn(server, `${await createBucket(server)}${prefix}`);
        await Promise.all(Object.entries(contents).map(([key, bytes]) => store.set(key, bytes)));
        return store;
      },
      lacks: { freshVersions: 'an ETag is computed from the bytes' },
    });
});

describe('redirects of S3 endpoints', () => {
  const sent: string[] = [];
  const inside = createServer((request, response) => {
    sent.push(request.url ?? '');
    response.end('inside');
  });
  let status = 0;
  const endpoint = createServer((_, response) => {
    const location = `${urlOf(inside)}/latest/meta-data`;
    response.writeHead(status, { location, 'x-amz-bucket-region': 'x.example.org/#' }).end();
  });
  beforeAll(async () => {
    for (const each of [inside, endpoint])
      await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    inside.close();
    endpoint.close();
  });

  test.each([301, 302, 303, 307, 308])('with status %i are not followed', async (code) => {
    status = code;
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const store = createS3Store({
      label: 's',
      url: `s3://bucket/?endpoint=${urlOf(endpoint)}&region=us-east-1`,
      credentials,
      attempts: 1,
    });
    await expect(store.getMany([{ key: 'a' }], () => {})).rejects.toMatchObject({
      code: expect.stringMatching(/^STORE_/),
    });
    expect(sent).toEqual([]);
    await store.close();
  });

  function urlOf(server: Server): string {
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
});
