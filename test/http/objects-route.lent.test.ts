/** Objects are sent from memory that later responses reuse: no response contains bytes of another one. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFilesystemStore } from '../../server/zarr/index.js';
import { realGateway } from './real-gateway.js';

const COUNT = 24;
/** Bytes of a chunk: larger than the buffers of a connection, so that slow clients keep a part in memory. */
const CHUNK_BYTES = 6 * 2 ** 20;

async function folderOfChunks(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zarrql-objects-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'c'));
  const metadata = {
    zarr_format: 3,
    node_type: 'array',
    shape: [COUNT * CHUNK_BYTES],
    data_type: 'uint8',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [CHUNK_BYTES] } },
    chunk_key_encoding: { name: 'default' },
    codecs: [{ name: 'bytes' }],
    fill_value: 0,
  };
  await writeFile(join(folder, 'zarr.json'), JSON.stringify(metadata));
  // Lengths differ, and some objects are sent in several pieces.
  for (let i = 0; i < COUNT; i++)
    await writeFile(
      join(folder, 'c', String(i)),
      Buffer.alloc(100_000 + Math.floor((i / COUNT) * CHUNK_BYTES), i),
    );
  return folder;
}

type Way = 'whole' | 'slowly' | 'cancelled';

/** @returns the number of bytes, and the values that occur in them; undefined for a cancelled request */
function receive(url: string, way: Way): Promise<{ length: number; values: Set<number> } | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (incoming) => {
      let length = 0;
      const values = new Set<number>();
      incoming.on('data', (bytes: Buffer) => {
        length += bytes.length;
        for (const value of bytes) values.add(value);
        if (way === 'cancelled') {
          request.destroy();
          resolve(undefined);
        } else if (way === 'slowly') {
          incoming.pause();
          setTimeout(() => incoming.resume(), 1);
        }
      });
      incoming.on('end', () => resolve({ length, values }));
    });
    request.on('error', (error) => (way === 'cancelled' ? resolve(undefined) : reject(error)));
  });
}

test('concurrent, slow and cancelled responses do not share bytes', { timeout: 60_000 }, async () => {
  const folder = await folderOfChunks();
  const store = createFilesystemStore({ root: folder, label: 'a' });
  const { url } = await realGateway({}, { gateway: { stores: [{ name: 'a', store }] } });
  const ways: readonly Way[] = ['whole', 'slowly', 'whole', 'cancelled'];
  let left = 4 * COUNT;
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      // Neighbouring requests differ in length and contents.
      const i = (left * 7) % COUNT;
      const result = await receive(
        `${new URL(url).origin}/zarr/a/c/${i}`,
        ways[left % ways.length] ?? 'whole',
      );
      if (result === undefined) continue;
      expect(result.length, String(i)).toBe(100_000 + Math.floor((i / COUNT) * CHUNK_BYTES));
      expect([...result.values], String(i)).toEqual([i]);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
});
