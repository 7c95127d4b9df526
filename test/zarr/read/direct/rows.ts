/** Arrays whose values identify their row, for tests of reads by threads. */
import { isZarrError, openHierarchy, type KeyStore, type ZarrArray } from '../../../../server/zarr/index.js';

export const rows = 64;
export const columns = 512;
export const all = { kind: 'all' } as const;

/** 16 chunks (in 4 shards) of 4 rows; every value of a row is `base + row`. */
export async function rowsAt(
  store: KeyStore,
  sharded: boolean,
  base = 0,
  width = columns,
): Promise<ZarrArray> {
  const hierarchy = openHierarchy(store, { decoding: { pool: null } });
  const array = await hierarchy.createArray('/', {
    shape: [rows, width],
    dtype: 'int32',
    chunkShape: [4, width],
    ...(sharded ? { shardShape: [16, width] } : {}),
    fillValue: -1,
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      ...(width === columns ? [{ name: 'zstd', configuration: { level: 1, checksum: true } }] : []),
    ],
  });
  await fill(array, base, width);
  return array;
}

async function fill(array: ZarrArray, base: number, width: number): Promise<void> {
  const data = Int32Array.from({ length: rows * width }, (_, i) => base + Math.floor(i / width));
  await array.select(all).write({ shape: [rows, width], data });
}

/** The error of a read that must fail. */
export async function failureOf(reading: Promise<unknown>): Promise<unknown> {
  try {
    await reading;
  } catch (error) {
    if (isZarrError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the read did not fail');
}
