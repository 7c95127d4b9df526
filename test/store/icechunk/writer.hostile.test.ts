/**
 * Writing to repositories with damaged files: an error in time or a valid commit, and earlier commits stay. Each file is
 * damaged in one way; with ZARRQL_CHAOS, in all ways, which takes four minutes.
 */
import { afterEach, expect, test } from 'vitest';
import { createIcechunkStore } from '../../../server/store/icechunk.js';
import {
  createMemoryStore,
  get,
  isZarrError,
  type KeyStore,
  openHierarchy,
} from '../../../server/zarr/index.js';
import { defined } from '../../../wire/guards.js';

const opened: KeyStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

function open(files: KeyStore): KeyStore {
  const options = { label: 'ice', files, maxAgeMs: 0, deadlineMs: 5000, writable: true };
  const store = createIcechunkStore(options);
  opened.push(store);
  return store;
}

/** Two commits of two arrays, with chunks in manifests and in objects. */
async function createSample(specVersion: number): Promise<KeyStore> {
  const files = createMemoryStore({ label: 'files' });
  const store = open(files);
  const writing = defined(store.versions?.writing);
  await writing.createRepository(specVersion);
  for (const value of [1, 2]) {
    const session = await writing.begin();
    const nodes = openHierarchy(session.store);
    const small = await nodes.createArray('/small', { shape: [4], chunkShape: [1], dtype: 'int32' }, { ifExists: 'keep' }); // prettier-ignore
    await small.select('...').write(value);
    const large = await nodes.createArray('/large', { shape: [2000], chunkShape: [1000], dtype: 'float64', codecs: [{ name: 'bytes', configuration: { endian: 'little' } }] }, { ifExists: 'keep' }); // prettier-ignore
    await large.select('...').write(value);
    await session.commit(`commit ${value}`);
  }
  return files;
}

const damages: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  empty: () => new Uint8Array(0),
  truncated: (bytes) => bytes.slice(0, Math.floor(bytes.length / 2)),
  'changed at the start': (bytes) => bytes.map((byte, at) => (at < 40 ? byte ^ 0xff : byte)),
  'changed in the middle': (bytes) => bytes.map((byte, at) => (at > 40 && at % 7 === 0 ? byte ^ 0x55 : byte)),
  'replaced by zeros': (bytes) => new Uint8Array(bytes.length),
};

const all = Object.entries(damages);
const isComplete = process.env['ZARRQL_CHAOS'] !== undefined;

/** Changes both arrays and the attributes. @returns the code of the error; undefined for a commit */
async function change(files: KeyStore): Promise<string | undefined> {
  const session = await defined(open(files).versions?.writing).begin();
  try {
    const nodes = openHierarchy(session.store);
    await (await nodes.array('/small')).select('1').write(7);
    await nodes.append('/large', new Float64Array(10).fill(7));
    await nodes.setAttributes('/', { set: { changed: true } });
    await session.commit('changed');
    return undefined;
  } catch (error) {
    await session.discard();
    if (!isZarrError(error)) throw error;
    return error.code;
  }
}

async function messages(files: KeyStore): Promise<readonly string[]> {
  const { versions } = open(files);
  const snapshot = defined(await versions?.resolve());
  return defined(await versions?.history({ snapshot, first: 10 })).map(({ message }) => message);
}

test.each([1, 2])('damaged files (version %d)', { timeout: 300_000 }, async (specVersion) => {
  const files = await createSample(specVersion);
  const before = await messages(files);
  const keys: string[] = [];
  for await (const { key } of files.walk('')) keys.push(key);
  const outcomes = new Map<string, number>();
  const needed = keys.filter((each) => !/^(?:chunks|overwritten)\//.test(each));
  for (const [i, key] of needed.entries())
    for (const [name, damage] of isComplete ? all : all.slice(i % all.length, (i % all.length) + 1)) {
      const copy = createMemoryStore({ label: 'copy' });
      for (const each of keys) await copy.set(each, defined(await get(files, each)).bytes);
      const kept = defined(await get(files, key));
      const damaged = damage(kept.bytes);
      await copy.set(key, damaged);
      const outcome =
        (await change(copy).catch((error: unknown) => {
          if (!isZarrError(error)) throw error;
          return error.code;
        })) ?? 'committed';
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      expect(['committed', 'INVALID_METADATA', 'STORE_UNAVAILABLE', 'NOT_FOUND', 'CONFLICT', 'CODEC_ERROR'], `${key} ${name}`).toContain(outcome); // prettier-ignore
      // What was not replaced by the commit is repaired; earlier commits and their order are as before.
      const current = defined(await get(copy, key)).bytes;
      if (Buffer.compare(current, damaged) === 0) await copy.set(key, kept.bytes);
      const after = await messages(copy);
      expect(after.slice(-before.length), `${key} ${name}`).toEqual(before);
      expect(after.length - before.length, `${key} ${name}`).toBe(outcome === 'committed' ? 1 : 0);
      await Promise.all(opened.splice(0).map((store) => store.close()));
    }
  expect(outcomes.get('committed'), 'some files are not needed').toBeGreaterThan(0);
  expect(outcomes.get('INVALID_METADATA')).toBeGreaterThan(0);
});
