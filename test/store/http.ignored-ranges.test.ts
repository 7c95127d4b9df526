/** Servers that respond to a range request with the whole object of unknown length. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpStore } from '../../server/store/http.js';
import { getRange } from '../../server/store/define-reading.js';
import { text } from '../contracts/store-reading.js';
import { startFileServer, type FileServer } from './file-server.js';

let server: FileServer;
beforeEach(async () => {
  server = await startFileServer({ a: text('0123456789') });
});
afterEach(() => server.close());

test('a part is extracted from the whole object', async () => {
  server.faults.push((_, response, bytes) => {
    response.writeHead(200, { etag: '"1"' });
    response.write(bytes.subarray(0, 4));
    response.end(bytes.subarray(4));
    return true;
  });
  const store = createHttpStore({ label: 'test', url: server.url });
  const part = await getRange(store, 'a', { offset: 2, length: 3 });
  expect(part).toMatchObject({ bytes: text('234'), total: 10 });
});

test('reads are limited, and the message states the problem', async () => {
  server.faults.push((_, response) => {
    const piece = new Uint8Array(2 ** 20);
    response.writeHead(200, { etag: '"1"' });
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
    return true;
  });
  const store = createHttpStore({ label: 'test', url: server.url });
  await expect(getRange(store, 'a', { offset: 2, length: 3 })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('no Content-Length'),
  });
});
