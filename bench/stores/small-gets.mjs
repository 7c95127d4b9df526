/** `node small-gets.mjs store|sdk BUCKET` prints {cpuMs, perSecond} for small range requests. */
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { engineEntry } from '../folders.mjs';

const [way, Bucket] = process.argv.slice(2);
const [Key, size, length, atOnce, warmUp, count] = ['gets/object', 2 ** 20, 16_384, 16, 500, 4000];

const client = new S3Client({ forcePathStyle: true });
await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(size, 7) }));
const { openStoreFromUrl, getRange } = await import(engineEntry);
const store = openStoreFromUrl('bench', `s3://${Bucket}/gets`, { cacheBytes: 0 });

const ways = {
  async store(offset) {
    return (await getRange(store, 'object', { offset, length })).bytes.length;
  },
  async sdk(offset) {
    const Range = `bytes=${offset}-${offset + length - 1}`;
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
    return (await Body.transformToByteArray()).length;
  },
};

async function get(times) {
  let left = times;
  const worker = async () => {
    while (left-- > 0) {
      const got = await ways[way](Math.floor(Math.random() * (size - length)));
      if (got !== length) throw new Error(`got ${got} bytes, expected ${length}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

await get(warmUp);
const [cpu, start] = [process.cpuUsage(), performance.now()];
await get(count);
const { user, system } = process.cpuUsage(cpu);
const seconds = (performance.now() - start) / 1000;
console.log(JSON.stringify({ cpuMs: (user + system) / 1000 / count, perSecond: count / seconds }));
await store.close();
client.destroy();
