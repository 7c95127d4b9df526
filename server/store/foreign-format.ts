/** Recognises files and folders of other formats by the first bytes of objects, so that messages can name the format. */
import { isZarrError } from '../core/errors.js';
import type { KeyStore, ReadResult } from './store.js';

interface ForeignFormat {
  readonly name: string;
  /** What to do, as the end of a sentence. */
  readonly advice: string;
  /** The possible first bytes, one character per byte, or a pattern of them. */
  readonly starts: readonly string[] | RegExp;
  /** Keys of objects with these bytes, if the format consists of several objects. */
  readonly keys?: readonly string[];
}

const REFERENCES_OR_COPY =
  'convert it to Zarr, for example with xarray: open_dataset(...).to_zarr(...), or write references to it with kerchunk and references+ before their address';
const KERCHUNK = {
  name: 'kerchunk (references to other files)',
  advice: 'write references+ before its address, and references+file: before a path',
} as const;
const ICECHUNK = {
  name: 'Icechunk',
  advice: 'write icechunk+ before its address, and icechunk+file: before a path',
} as const;

const formats: readonly ForeignFormat[] = [
  {
    name: 'HDF5 or NetCDF-4',
    advice: REFERENCES_OR_COPY,
    starts: ['\u0089HDF\r\n\u001a\n'],
  },
  {
    name: 'NetCDF-3',
    advice: REFERENCES_OR_COPY,
    starts: ['CDF\u0001', 'CDF\u0002', 'CDF\u0005'],
  },
  { name: 'TIFF', advice: 'convert it to OME-Zarr or Zarr', starts: ['II*\0', 'II+\0', 'MM\0*', 'MM\0+'] },
  { name: 'GRIB', advice: 'convert it to Zarr, for example with xarray and cfgrib', starts: ['GRIB'] },
  {
    ...KERCHUNK,
    starts: /^\s*\{\s*"(?:version"\s*:\s*[01]\s*,\s*"refs"|refs"|templates"|\.z(?:group|attrs|array)")/,
  },
  // "ICE🧊CHUNK" in UTF-8; version 1 has no such object at its top, but a branch named "main".
  { ...ICECHUNK, starts: ['ICE\u00f0\u009f\u00a7\u008aCHUNK'], keys: ['repo'] },
  { ...ICECHUNK, starts: /^\s*\{\s*"snapshot"\s*:/, keys: ['refs/branch.main/ref.json'] },
  {
    name: 'N5',
    advice: 'write n5+ before its address, and n5+file: before a path',
    starts: /^\s*\{[^]*"(?:n5|blockSize)"\s*:/,
    keys: ['attributes.json'],
  },
  { name: 'zip', advice: 'rename it to end in .zip', starts: ['PK\u0003', 'PK\u0005'] },
];

/** Number of bytes that `describeForeign` needs. */
export const FOREIGN_BYTES = 1024;

/** @returns the format of a file and what to do, for messages; undefined for an unknown format */
export function describeForeign(firstBytes: Uint8Array): string | undefined {
  const found = formats.find(({ starts, keys }) => keys === undefined && matches(starts, firstBytes));
  return found === undefined ? undefined : `a file of the format ${found.name}; ${found.advice}`;
}

/** The message for consolidated metadata that kerchunk writes beside its parquet files. */
export const KERCHUNK_PARQUET = `a folder of the format ${KERCHUNK.name}; ${KERCHUNK.advice}`;

/**
 * Looks for signs of another format in a store without Zarr metadata at its root. Sends one request for each sign.
 * @returns the format of the folder or file and what to do, for messages; undefined for an unknown format, or if the
 * store cannot be read
 * @throws AbortedError
 */
export async function describeForeignStore(
  store: KeyStore,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const starting = store.startAsFile;
  const file = starting === undefined ? undefined : await unlessFailing(() => starting(signal));
  const asFile = file === undefined ? undefined : describeForeign(file);
  if (asFile !== undefined) return asFile;
  for (const { name, advice, starts, keys = [] } of formats)
    for (const key of keys) {
      const start = await unlessFailing(() => readStart(store, key, signal));
      if (start !== undefined && matches(starts, start)) return `a folder of the format ${name}; ${advice}`;
    }
  return undefined;
}

/** A message needs no reason why its suggestion is missing. */
async function unlessFailing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isZarrError(error) && error.code !== 'ABORTED') return undefined;
    throw error;
  }
}

/** The first bytes of an object; undefined if it does not exist. @throws store errors */
export async function readStart(
  store: KeyStore,
  key: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const range = { offset: 0, length: FOREIGN_BYTES };
  let found: ReadResult;
  const each = (_: number, result: ReadResult): void => {
    found = result;
  };
  await store.getMany([store.can.range ? { key, range } : { key }], each, { signal, maxBytes: MAX_WHOLE });
  return typeof found === 'object' ? found.bytes.subarray(0, FOREIGN_BYTES) : undefined;
}

/** Maximum size, in bytes, of an object that is read as a whole, because its store does not support ranges. */
const MAX_WHOLE = 2 ** 20;

function matches(starts: ForeignFormat['starts'], firstBytes: Uint8Array): boolean {
  const text = String.fromCharCode(...firstBytes.subarray(0, FOREIGN_BYTES));
  return starts instanceof RegExp ? starts.test(text) : starts.some((start) => text.startsWith(start));
}
