/**
 * Writers that are killed at random moments, and concurrent writers: every acknowledged change is stored and listed, and
 * no row is partial. ZARRQL_CHAOS is the number of kills, and determines the changes of three concurrent writers.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHierarchy } from '../../server/zarr/index.js';
import { createBucket } from '../s3/bucket.js';
import { startS3Server, type S3Server } from '../s3/server.js';
import { openChaos, prepare, readRows, verify } from './changes.js';
import { startWriter, type Acknowledged, type StoreAddress, type Writer } from './writers.js';

const kills = Number(process.env['ZARRQL_CHAOS'] ?? 4);
const changesEach = Math.min(400, 4 * Math.max(6, kills));
const timeoutMs = 60_000 + kills * 30_000;

let server: S3Server | undefined;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zarrql-chaos-'));
  const started = await startS3Server();
  if (!('missing' in started)) server = started;
}, 900_000);
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const addresses: Record<string, () => Promise<StoreAddress | undefined>> = {
  'a folder': async () => ({ url: await mkdtemp(join(folder, 'store-')), options: {} }),
  S3: async () => {
    if (server === undefined) return undefined;
    const { endpoint, credentials } = server;
    const s3 = { endpoint, credentials, region: 'us-east-1' };
    return { url: `s3://${await createBucket(server)}/store`, options: { s3 } };
  },
};

describe.each(Object.entries(addresses))('%s', (kind, makeAddress) => {
  test('killed writers leave everything they acknowledged and nothing partial', { timeout: timeoutMs }, async (context) => {
    const address = await makeAddress();
    if (address === undefined) return context.skip();
    await prepare(address);
    const done: Acknowledged[] = [];
    let next = startWriter(address);
    for (let id = 1; id <= kills; id++) {
      const writer = next;
      await writer.ready;
      writer.begin(id, 1000);
      if (id < kills) next = startWriter(address);
      await writer.after(1 + ((id * 7) % 9));
      // At a random point of the change in progress.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
      writer.kill();
      await writer.ended();
      expect(writer.acknowledged.length).toBeGreaterThan(0);
      done.push(...writer.acknowledged);
      if (id % 10 === 0 || id === kills) await verify(address, done);
    }
    if (kind === 'a folder') expect(await readdir(address.url)).toEqual(['cells', 'grown', 'made', 'zarr.json']);
    console.info(`${kind}: ${kills} kills, ${done.length} acknowledged changes kept`);
  }); // prettier-ignore

  test('three concurrent processes lose no change, and readers see only complete rows', { timeout: timeoutMs }, async (context) => {
    const address = await makeAddress();
    if (address === undefined) return context.skip();
    await prepare(address);
    const writers: Writer[] = [1, 2, 3].map(() => startWriter(address));
    await Promise.all(writers.map(({ ready }) => ready));
    let isOver = false;
    let reads = 0;
    const store = openChaos(address);
    const reading = (async () => {
      const hierarchy = openHierarchy(store);
      for (let length = 0; !isOver; reads++) {
        const rows = await readRows(hierarchy);
        expect(rows.length).toBeGreaterThanOrEqual(length);
        ({ length } = rows);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    for (const [i, writer] of writers.entries()) writer.begin(i + 1, changesEach);
    const codes = Promise.all(writers.map((writer) => writer.ended()));
    try {
      await Promise.race([reading, codes]);
    } finally {
      isOver = true;
      for (const writer of writers) if (reads === 0) writer.kill();
    }
    expect(await codes).toEqual([0, 0, 0]);
    await reading;
    await store.close();
    const done = writers.flatMap(({ acknowledged }) => acknowledged);
    expect(done).toHaveLength(3 * changesEach);
    await verify(address, done);
    console.info(`${kind}: 3 processes, ${done.length} changes, ${reads} reads`);
  }); // prettier-ignore
});
