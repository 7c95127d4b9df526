/** Reads a stored object, or a part of it, piece by piece: all pieces are of the same version. */
import {
  type ByteRange,
  ConflictError,
  getRange,
  type KeyStore,
  type ReadRequest,
  type StoreValue,
  UnsupportedError,
} from '../../zarr/index.js';
import type { RequestMemory } from '../../memory/budget.js';
import type { ResultLoans } from '../../memory/lent-results.js';
import type { RequestedPart } from '../byte-range.js';

/** Size of a piece, in bytes. A request holds at most two. */
export const OBJECT_PIECE_BYTES = 4 * 2 ** 20;

export interface ObjectPart {
  /** Position of the first byte. */
  readonly from: number;
  /** Position after the last byte. */
  readonly to: number;
  /** Size of the whole object. */
  readonly total: number;
  readonly version: string | undefined;
  readonly pieces: () => AsyncGenerator<Uint8Array>;
}

interface ReadParts {
  readonly store: KeyStore;
  readonly key: string;
  readonly memory: RequestMemory;
  readonly signal: AbortSignal;
  /** Opens memory that is reused once the response has been sent. */
  readonly loans: (() => ResultLoans) | undefined;
}

/** Size and version of an object. */
export interface ObjectHead {
  readonly total: number;
  readonly version: string | undefined;
}

/** Reads one byte, which tells the size and version of the object. @returns undefined if the object does not exist */
export async function headOf(parts: Omit<ReadParts, 'loans'>): Promise<ObjectHead | undefined> {
  const { store, key, signal } = parts;
  const value = await getRange(store, key, { offset: 0, length: 1 }, { signal });
  if (value === undefined) return undefined;
  return { total: sizeOf(value, 1) ?? noSize(key), version: value.version };
}

/** The size of an object; undefined if neither the store nor a part that ends early tells. */
function sizeOf({ total, bytes }: StoreValue, requested: number): number | undefined {
  return total ?? (bytes.length < requested ? bytes.length : undefined);
}

function noSize(key: string): never {
  throw new UnsupportedError(
    'the store does not report the sizes of objects, so that large ones cannot be passed on',
    { where: { key } },
  );
}

/**
 * Opens a part, and reads its first piece.
 * @param part @default the whole object
 * @returns undefined if the object does not exist; 'unsatisfiable' with its size if the part contains no byte
 * @throws BusyError or LimitError if there is no memory for a piece; store errors
 */
export async function openPart(
  parts: ReadParts,
  part: RequestedPart | undefined,
): Promise<ObjectPart | { readonly unsatisfiable: number } | undefined> {
  const { key, memory, signal } = parts;
  await memory.take(OBJECT_PIECE_BYTES, { signal });
  let known: ObjectHead | undefined;
  let range: ByteRange = { offset: 0, length: OBJECT_PIECE_BYTES };
  if (part !== undefined && 'suffix' in part) {
    if (part.suffix <= OBJECT_PIECE_BYTES) range = part;
    else {
      known = await headOf(parts);
      if (known === undefined) return undefined;
      range = { offset: Math.max(0, known.total - part.suffix), length: OBJECT_PIECE_BYTES };
    }
  } else if (part !== undefined) {
    const { offset, end = Infinity } = part;
    range = { offset, length: Math.min(OBJECT_PIECE_BYTES, end - offset) };
  }
  const ifMatch = known?.version === undefined ? {} : { ifMatch: known.version };
  const opened = await readLent(parts, { key, range, ...ifMatch });
  if (opened === undefined) return undefined;
  const isFromStart = 'suffix' in range || range.offset === 0;
  const requested = 'suffix' in range ? range.suffix : range.length;
  const total =
    opened.total ?? known?.total ?? (isFromStart ? sizeOf(opened, requested) : undefined) ?? noSize(key);
  const from = 'suffix' in range ? Math.max(0, total - range.suffix) : range.offset;
  const wanted = part !== undefined && 'end' in part ? (part.end ?? total) : total;
  const to = Math.min(total, wanted);
  if (from >= to && part !== undefined) return { unsatisfiable: total };
  const found = { from, to, total, version: opened.version };
  if (to - from <= opened.bytes.length) return { ...found, pieces: () => only(opened.bytes) };
  // Pieces of an object without versions could be of different states.
  if (opened.version === undefined) return wholePart(parts, found);
  // The next piece is read while the client receives this one.
  await memory.take(OBJECT_PIECE_BYTES, { signal });
  return { ...found, pieces: () => remaining(parts, opened, from, to) };
}

/** Reads a piece into memory that the store lends until the response has been sent. */
function readLent(
  { store, signal, loans }: ReadParts,
  request: ReadRequest,
): Promise<StoreValue | undefined> {
  return new Promise((resolve, reject) => {
    let value: StoreValue | undefined;
    let isGiven = false;
    const arrived = (): void => resolve(value);
    store
      .getMany(
        [request],
        (_, result) => {
          isGiven = true;
          if (result !== 'unchanged') value = result;
        },
        {
          signal,
          maxBytes: OBJECT_PIECE_BYTES,
          taken:
            loans &&
            (() => {
              // A store may read an object in parts, each of which it copies.
              if (!isGiven) return undefined;
              arrived();
              return value === undefined ? undefined : loans().returned;
            }),
        },
      )
      .then(arrived, reject);
  });
}

/** @param first the first piece, which is not longer than the part */
async function* remaining(
  { store, key, signal }: ReadParts,
  first: StoreValue,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  const condition = first.version === undefined ? {} : { ifMatch: first.version };
  let at = from + first.bytes.length;
  const read = async (offset: number): Promise<Uint8Array> => {
    const length = Math.min(OBJECT_PIECE_BYTES, to - offset);
    let bytes: Uint8Array | undefined;
    await store.getMany(
      [{ key, range: { offset, length }, ...condition }],
      (_, result) => {
        if (result !== undefined && result !== 'unchanged') ({ bytes } = result);
      },
      { signal, maxBytes: OBJECT_PIECE_BYTES },
    );
    if (bytes?.length !== length)
      throw new ConflictError('the object changed while it was read; try again', { where: { key } });
    return bytes;
  };
  let next = at < to ? read(at) : undefined;
  // The failure is thrown when the piece is due.
  next?.catch(() => {});
  yield first.bytes;
  while (next !== undefined) {
    const bytes = await next;
    at += bytes.length;
    next = at < to ? read(at) : undefined;
    next?.catch(() => {});
    yield bytes;
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Reads a part at once. @throws LimitError if it does not fit in the memory of a request; ConflictError */
async function wholePart(
  { store, key, memory, signal }: ReadParts,
  found: Omit<ObjectPart, 'pieces'>,
): Promise<ObjectPart | undefined> {
  const length = found.to - found.from;
  await memory.take(length, { signal });
  const value = await getRange(store, key, { offset: found.from, length }, { signal, maxBytes: length });
  if (value === undefined) return undefined;
  if (value.bytes.length !== length)
    throw new ConflictError('the object changed while it was read; try again', { where: { key } });
  return { ...found, pieces: () => only(value.bytes) };
}
