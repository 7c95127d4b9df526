/** Redirects of S3 endpoints are not followed. */
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createS3Store } from '../../../server/zarr/store/s3.js';

const asked: string[] = [];
const inside = createServer((request, response) => {
  asked.push(request.url ?? '');
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

test.each([301, 302, 303, 307, 308])('HTTP status %i', async (each) => {
  status = each;
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
  expect(asked).toEqual([]);
  await store.close();
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
