import { afterAll, describe } from 'vitest';
import { describeStore } from '../../contracts/store.js';
import { createBucket, storeOn } from '../../s3/bucket.js';
import { startS3Server } from '../../s3/server.js';

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
        for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
        return store;
      },
      lacks: { freshVersions: 'an ETag is computed from the bytes' },
    });
});
