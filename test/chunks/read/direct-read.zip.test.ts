/** Direct reads of zip archives: threads read stored entries with the same values, versions and errors as the store. */
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isZarrError, openHierarchy, type CodecPool, type KeyStore } from '../../../server/zarr/index.js';
import type { JsonObject } from '../../../server/core/bytes/json.js';
import { createZipStore } from '../../../server/store/zip.js';
import { buildZip, type ZipPart } from '../../store/build-zip.js';
import { filesAt, hierarchiesOf, isBuilt, startPool, temporaryFolder } from './threads.js';

const shape = [48, 4096];
const all = { kind: 'all' } as const;
const little = { name: 'bytes', configuration: { endian: 'little' } };

interface Layout {
  readonly codecs?: readonly JsonObject[];
  readonly shardShape?: readonly number[];
}

/** The entries of an array of 12 chunks (with `shardShape`, in 3 shards), of which the last is not stored. */
async function entriesOf(root: string, { codecs = [little], shardShape }: Layout = {}): Promise<ZipPart[]> {
  const array = await openHierarchy(filesAt(root), { decoding: { pool: null } }).createArray('/', {
    ...{ shape, dtype: 'uint16', chunkShape: [4, 4096], fillValue: 9 },
    codecs,
    ...(shardShape === undefined ? {} : { shardShape }),
  });
  const data = Uint16Array.from({ length: 44 * 4096 }, (_, i) => (i * 31) % 65_521);
  await array
    .select({ kind: 'dims', dims: [{ kind: 'slice', stop: 44 }] })
    .write({ shape: [44, 4096], data });
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => {
      const path = join(file.parentPath, file.name);
      return { name: path.slice(root.length + 1), bytes: readFileSync(path) };
    });
}

describe.skipIf(!isBuilt)('reads of archives by threads', () => {
  const folder = temporaryFolder();
  let pool: CodecPool;
  beforeAll(async () => {
    pool = await startPool();
  });
  afterAll(() => pool.close());

  /** Opens an archive, and counts the bytes that the store itself reads. */
  function archiveAt(name: string): { store: KeyStore; readHere(): number } {
    const files = filesAt(folder);
    let bytes = 0;
    const getMany: KeyStore['getMany'] = (requests, each, options) =>
      files.getMany(
        requests,
        (i, result) => {
          if (typeof result === 'object') bytes += result.bytes.length;
          each(i, result);
        },
        options,
      );
    const store = createZipStore({ label: 'zip', source: { store: { ...files, getMany }, key: name } });
    return { store, readHere: () => bytes };
  }

  /** The result of reading an archive in four ways: values and versions, or the error. */
  async function outcomesOf(name: string): Promise<{ outcomes: unknown[]; readHere: number[] }> {
    const [outcomes, readHere]: [unknown[], number[]] = [[], []];
    for (const way of ['inline', 'threads', 'both', 'serial'] as const) {
      const archive = archiveAt(name);
      const versions: [string, string | undefined][] = [];
      const array = await hierarchiesOf(archive.store, pool)[way].array('/');
      const before = archive.readHere();
      try {
        const onVersion = ({ key }: { key: string }, version: string | undefined): void =>
          void versions.push([key, version]);
        const block = await array.select(all).read({ onVersion });
        if (!('bytes' in block)) throw new Error('expected values of fixed size');
        const values = Buffer.from(block.bytes).toString('base64');
        outcomes.push({ values, versions: new Map(versions.sort(([a], [b]) => (a < b ? -1 : 1))) });
      } catch (error) {
        if (!isZarrError(error)) throw error;
        outcomes.push({ code: error.code, message: error.message });
      }
      readHere.push(archive.readHere() - before);
    }
    return { outcomes, readHere };
  }

  function pack(name: string, parts: readonly ZipPart[]): void {
    writeFileSync(join(folder, `${name}.new`), buildZip(parts));
    renameSync(join(folder, `${name}.new`), join(folder, name));
  }

  test.each<[string, Layout, ((part: ZipPart, i: number) => ZipPart)?]>([
    ['raw', {}],
    ['zstd', { codecs: [little, { name: 'zstd', configuration: { level: 1, checksum: false } }] }],
    ['shards', { shardShape: [16, 4096] }],
    ['long local headers', {}, (part, i) => ({ ...part, localExtra: i * 50 })],
  ])(
    '%s: stored entries have the same values and versions',
    async (name, layout, change = (part) => part) => {
      pack(`${name}.zip`, (await entriesOf(join(folder, name), layout)).map(change));
      const { outcomes, readHere } = await outcomesOf(`${name}.zip`);
      expect(outcomes[0]).toHaveProperty('values');
      expect(outcomes[1]).toEqual(outcomes[0]);
      expect(outcomes[2]).toEqual(outcomes[0]);
      expect(outcomes[3]).toEqual(outcomes[0]);
      // Besides the threads, the store reads only headers and shard indexes.
      expect(readHere[1]).toBeLessThan(5_000);
      expect(readHere[0]).toBeGreaterThan(100_000);
    },
  );

  test('an archive with deflated entries has the same values and versions', async () => {
    const parts = await entriesOf(join(folder, 'deflated'));
    pack(
      'deflated.zip',
      parts.map((part, i) => ({ ...part, deflate: i % 2 === 0 })),
    );
    const { outcomes } = await outcomesOf('deflated.zip');
    expect(outcomes[0]).toHaveProperty('values');
    expect(outcomes.slice(1)).toEqual([outcomes[0], outcomes[0], outcomes[0]]);
  });

  test('an archive behind a link has the same values and versions', async () => {
    pack('target.zip', await entriesOf(join(folder, 'target')));
    symlinkSync('target.zip', join(folder, 'link.zip'));
    const { outcomes } = await outcomesOf('link.zip');
    expect(outcomes[0]).toHaveProperty('values');
    expect(outcomes.slice(1)).toEqual([outcomes[0], outcomes[0], outcomes[0]]);
  });

  test.each<[string, (part: ZipPart) => ZipPart]>([
    ['a wrong checksum', (part) => ({ ...part, crc: 1 })],
    ['an encrypted entry', (part) => ({ ...part, flags: 0x801 })],
    ['an unknown method', (part) => ({ ...part, method: 93 })],
  ])('%s: the same error', async (name, damage) => {
    const parts = await entriesOf(join(folder, name));
    pack(
      `${name}.zip`,
      parts.map((part) => (part.name === 'c/5/0' ? damage(part) : part)),
    );
    const { outcomes } = await outcomesOf(`${name}.zip`);
    expect(outcomes[0]).toHaveProperty('message', expect.stringContaining('c/5/0'));
    expect(outcomes.slice(1)).toEqual([outcomes[0], outcomes[0], outcomes[0]]);
  });

  test('the checksum of an entry is verified even if one element is read', async () => {
    const parts = await entriesOf(join(folder, 'part'));
    pack(
      'part.zip',
      parts.map((part) => (part.name === 'c/5/0' ? { ...part, crc: 1 } : part)),
    );
    const array = await hierarchiesOf(archiveAt('part.zip').store, pool).serial.array('/');
    const dims = [
      { kind: 'index', index: 21 },
      { kind: 'index', index: 7 },
    ] as const;
    await expect(array.select({ kind: 'dims', dims }).read()).rejects.toThrow(/CRC-32/);
  });

  test('a replaced archive is never mixed with the previous one', async () => {
    const parts = await entriesOf(join(folder, 'replaced'));
    const other = parts.map((part) =>
      part.name === 'zarr.json' ? part : { ...part, bytes: part.bytes.map((byte) => byte ^ 255) },
    );
    pack('replaced.zip', parts);
    const { threads } = hierarchiesOf(archiveAt('replaced.zip').store, pool);
    const array = await threads.array('/');
    for (let round = 0; round < 40; round++) {
      const reading = array.select(all).read();
      for (let turn = 0; turn < round % 8; turn++) await new Promise((resolve) => setImmediate(resolve));
      pack('replaced.zip', round % 2 === 0 ? other : parts);
      let block;
      try {
        block = await reading;
      } catch (error) {
        expect(isZarrError(error, 'CONFLICT')).toBe(true);
        continue;
      }
      if (!('bytes' in block)) throw new Error('expected values of fixed size');
      const values = new Uint16Array(block.bytes.buffer, block.bytes.byteOffset, 44 * 4096);
      const flip = values[0] === 0 ? 0 : 65_535;
      expect(values.every((value, i) => (value ^ flip) === (i * 31) % 65_521)).toBe(true);
    }
  });
});
