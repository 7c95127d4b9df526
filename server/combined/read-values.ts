/** Computes chunks of a combined array from the values of its members. */
import { defined } from '../../wire/guards.js';
import { calendarOf, parseCalendarName } from '../dataset/calendar/calendars.js';
import { nanosecondsOf } from '../dataset/calendar/parse-time-units.js';
import { blockPieces } from '../dataset/decode/decode-cooperatively.js';
import type { VariableDecoding } from '../dataset/decode/decoding.js';
import { openDataset } from '../dataset/open-dataset.js';
import { isVariable } from '../dataset/variable.js';
import { chunkBytes } from '../transport/zarr/computed-documents.js';
import {
  type ArraySlice,
  type Block,
  ConflictError,
  createPause,
  type CopyDim,
  copyItems,
  copyPieces,
  copyStrided,
  inTurns,
  isFixedSize,
  ItemStore,
  NAT,
  numberType,
  printJson,
  type ReadOptions,
  sizeOf,
  stridesOf,
  type ZarrArray,
} from '../zarr/index.js';
import { type CommonDates, type Part, partsWithin } from './combined-array.js';
import type { MemberFacts } from './member-facts.js';
import { type CombinedPlan, digest, type PlannedArray } from './plan.js';

/** Chunks that follow each other along the concatenated dimension. */
export interface ChunkLine {
  readonly array: PlannedArray;
  /** Position of the first chunk in the grid. */
  readonly first: readonly number[];
  readonly count: number;
}

/** A part of a run that one member has. */
interface Piece {
  readonly facts: MemberFacts;
  readonly part: Part;
  readonly stored: ZarrArray;
  readonly slice: ArraySlice;
  /** Start in the run, along the concatenated dimension. */
  readonly at: number;
}

interface ValueChunk {
  readonly bytes: Uint8Array;
  readonly version: string | undefined;
}

export interface ComputedRun {
  /** Memory that computing the chunks takes, in bytes. */
  readonly bytes: number;
  /**
   * Reads all chunks of the run.
   * @param acquire provides memory for the values, which may have any contents
   * @throws errors from reading; UnsupportedError for missing text
   */
  read(options: ReadOptions, acquire?: (length: number) => Uint8Array): Promise<readonly ValueChunk[]>;
}

/** Memory for the values of one run. Pools keep at most as much. */
const RUN_BYTES = 8 * 2 ** 20;
/** Maximum number of chunks of one run. */
const MAX_RUN = 256;

/**
 * Maximum number of chunks that are computed together. More than one only if their values follow each other in memory, so
 * that members are read into the memory of the chunks.
 */
export function maxRunLength(array: PlannedArray): number {
  const { itemSize = 0 } = valuesOf(array);
  if (!isContiguous(array)) return 1;
  const fitting = Math.floor(RUN_BYTES / Math.max(1, sizeOf(array.objectShape) * itemSize));
  return Math.min(MAX_RUN, Math.max(1, fitting));
}

/** Whether the values that members have of a chunk follow each other in its memory, unconverted. */
function isContiguous(array: PlannedArray): boolean {
  const { axis, dates, itemSize } = valuesOf(array);
  if (dates !== undefined || itemSize === undefined) return false;
  return array.objectShape.every((length, d) => d >= axis || Math.min(length, defined(array.shape[d])) === 1);
}

/**
 * The version of a chunk from those of the members' objects, without reading values; undefined if a store has none.
 * @throws ConflictError if a member has changed since the plan was made
 */
export async function chunkVersion(
  plan: CombinedPlan,
  array: PlannedArray,
  index: readonly number[],
  options: ReadOptions,
): Promise<string | undefined> {
  const pieces = await piecesOf(plan, array, rangesOf({ array, first: index, count: 1 }), options.signal);
  return versionOf(array, await Promise.all(pieces.map(({ slice }) => slice.objectVersions(options))));
}

/** @throws ConflictError if a member has changed since the plan was made */
export async function openRun(
  plan: CombinedPlan,
  run: ChunkLine,
  { signal }: ReadOptions,
): Promise<ComputedRun> {
  const { array } = run;
  const { axis } = valuesOf(array);
  const ranges = rangesOf(run);
  const pieces = await piecesOf(plan, array, ranges, signal);
  const itemBytes = defined(pieces[0]).slice.dtype.itemSize ?? TEXT_BYTES;
  return {
    bytes:
      pieces.reduce((sum, { slice }) => sum + slice.cost().allocatedBytes, 0) +
      2 * run.count * sizeOf(array.objectShape) * itemBytes,
    async read(options, acquire = (length) => new Uint8Array(length)) {
      const versions = pieces.map((): Versions => new Map());
      const read = (i: number, out?: Uint8Array): Promise<Block> =>
        defined(pieces[i]).slice.read({
          signal: options.signal,
          ...(out === undefined ? {} : { out }),
          onVersion({ key }, version) {
            defined(versions[i]).set(key, version);
          },
        });
      const box = ranges.map((range) => range.stop - range.start);
      const block = isContiguous(array)
        ? await direct(pieces, read, { box, axis, acquire })
        : await assembled(pieces, read, box, array);
      const pause = createPause(options.signal);
      const hasVersions = !pieces.some(({ facts }) => lacksVersions(facts));
      const chunks: ValueChunk[] = [];
      for (const chunk of chunksOf(run)) {
        const own = rangesOf(chunk);
        const isWhole = run.count === 1;
        const values = isWhole ? block : partOf(block, own, axis, defined(ranges[axis]).start);
        const ofChunk = (): (Versions | undefined)[] =>
          isWhole ? versions : versionsWithin(array, own, pieces, versions);
        chunks.push({
          bytes: chunkBytes(array.path, values, { ranges: own, chunkShape: array.objectShape }),
          version: hasVersions ? versionOf(array, ofChunk()) : undefined,
        });
        await pause();
      }
      return chunks;
    },
  };
}

type Versions = Map<string, string | undefined>;
type Ranges = readonly { readonly start: number; readonly stop: number }[];

function valuesOf({ source }: PlannedArray): Extract<PlannedArray['source'], { kind: 'values' }> {
  if (source.kind !== 'values') throw new TypeError('the chunks of the array are stored');
  return source;
}

function chunksOf({ array, first, count }: ChunkLine): ChunkLine[] {
  const { axis } = valuesOf(array);
  return Array.from({ length: count }, (_, k) => ({ array, first: first.with(axis, defined(first[axis]) + k), count: 1 })); // prettier-ignore
}

function rangesOf({ array, first, count }: ChunkLine): Ranges {
  const { axis } = valuesOf(array);
  return first.map((at, d) => {
    const length = defined(array.objectShape[d]);
    const start = at * length;
    return { start, stop: Math.min(start + (d === axis ? count : 1) * length, defined(array.shape[d])) };
  });
}

async function piecesOf(
  plan: CombinedPlan,
  array: PlannedArray,
  ranges: Ranges,
  signal: AbortSignal | undefined,
): Promise<Piece[]> {
  const { axis, parts } = valuesOf(array);
  const { start, stop } = defined(ranges[axis]);
  return Promise.all(
    partsWithin(parts, start, stop).map(async (part): Promise<Piece> => {
      const facts = defined(plan.members[part.member]);
      const stored = await currentArray(facts, array.path, signal);
      return { facts, part, stored, slice: sliceOf(stored, ranges, axis, part), at: Math.max(0, part.start - start) }; // prettier-ignore
    }),
  );
}

/** What a member has of a box. */
function sliceOf(stored: ZarrArray, ranges: Ranges, axis: number, part: Part): ArraySlice {
  const dims = ranges.map(({ start, stop }, d) =>
    d === axis
      ? { kind: 'slice' as const, start: Math.max(start, part.start) - part.start, stop: Math.min(stop, part.stop) - part.start } // prettier-ignore
      : { kind: 'slice' as const, start, stop },
  );
  return stored.select({ kind: 'dims', dims });
}

/** Undefined if the version of an object is not known. */
function versionOf(
  array: PlannedArray,
  versions: readonly (ReadonlyMap<string, string | undefined> | undefined)[],
): string | undefined {
  const known = versions.flatMap((one) => (one === undefined ? [] : [[...one].toSorted(byKey)]));
  if (known.length < versions.length) return undefined;
  return digest(JSON.stringify([array.version, known]));
}

/** Maximum number of objects of a chunk whose versions are looked up. */
const MAX_KEYS = 4096;

/** Of the versions of a run, those of one chunk. */
function versionsWithin(
  array: PlannedArray,
  ranges: Ranges,
  pieces: readonly Piece[],
  versions: readonly Versions[],
): (Versions | undefined)[] {
  const { axis } = valuesOf(array);
  const { start, stop } = defined(ranges[axis]);
  return pieces.flatMap(({ part, stored }, i) => {
    if (part.stop <= start || part.start >= stop) return [];
    const keys = sliceOf(stored, ranges, axis, part).objectKeys(MAX_KEYS);
    const all = defined(versions[i]);
    if (keys === undefined || ![...keys].every((key) => all.has(key))) return [undefined];
    return [new Map([...keys].map((key) => [key, all.get(key)]))];
  });
}

/** Assumed size of a text, in bytes. */
const TEXT_BYTES = 64;

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether the store of a member tells no versions, as its documents show. */
function lacksVersions({ state }: MemberFacts): boolean {
  return [...state.objects.values()].includes(undefined);
}

/** The array of a member, by its own document or by consolidated metadata, whichever the plan was made from. */
async function currentArray(
  { hierarchy, arrays, member }: MemberFacts,
  path: string,
  signal: AbortSignal | undefined,
): Promise<ZarrArray> {
  const isPlanned = ({ meta }: ZarrArray): boolean =>
    printJson(meta.documents) === arrays.get(path)?.documents;
  const array = await hierarchy.array(`/${path}`, { signal });
  if (isPlanned(array)) return array;
  const slash = path.lastIndexOf('/');
  const group = await hierarchy.group(`/${path.slice(0, Math.max(0, slash))}`, { signal });
  const { variables } = await openDataset(hierarchy, group, undefined, signal);
  const described = variables.get(path.slice(slash + 1));
  if (isVariable(described) && isPlanned(described.array)) return described.array;
  throw new ConflictError(`"${member.name}" changed during the request; try again`);
}

function decodingOf({ arrays }: MemberFacts, path: string): VariableDecoding {
  return defined(arrays.get(path)?.dates).decoding;
}

/** Dates as counts since 1970-01-01 of their calendar. */
function* inForm(
  stored: Block,
  { times }: VariableDecoding,
  { tick, calendar }: CommonDates,
): Generator<void, Block, void> {
  const axis = defined(times);
  const name = parseCalendarName(calendar);
  const day = name === undefined || name === 'none' ? 0 : calendarOf(name).dayOf(1970, 1, 1);
  const factor = BigInt(nanosecondsOf(axis.tick) / nanosecondsOf(tick));
  const epoch = BigInt(day) * BigInt(86_400e9 / nanosecondsOf(tick));
  const counts = new BigInt64Array(sizeOf(stored.shape));
  for (const { start, part } of blockPieces(stored)) {
    const list = axis.ticks(part);
    for (const [i, count] of list.entries()) counts[start + i] = count === NAT ? NAT : count * factor - epoch;
    yield;
  }
  return { dtype: numberType('int64'), shape: stored.shape, bytes: new Uint8Array(counts.buffer) };
}

type ReadPiece = (i: number, out?: Uint8Array) => Promise<Block>;

interface DirectBox {
  readonly box: readonly number[];
  readonly axis: number;
  readonly acquire: (length: number) => Uint8Array;
}

/** Reads the pieces into the memory of the run, in which they follow each other. */
async function direct(
  pieces: readonly Piece[],
  read: ReadPiece,
  { box, axis, acquire }: DirectBox,
): Promise<Block> {
  const { dtype } = defined(pieces[0]).slice;
  if (!isFixedSize(dtype)) throw new TypeError('the elements have no fixed size');
  const bytes = acquire(sizeOf(box) * dtype.itemSize);
  const stride = sizeOf(box.slice(axis + 1)) * dtype.itemSize;
  await Promise.all(
    pieces.map(({ slice, at }, i) => {
      const begin = at * stride;
      return read(i, bytes.subarray(begin, begin + sizeOf(slice.shape) * dtype.itemSize));
    }),
  );
  return { dtype, shape: box, bytes };
}

/** Reads the pieces, converts dates to their common form, and copies them together. */
async function assembled(
  pieces: readonly Piece[],
  read: ReadPiece,
  box: readonly number[],
  array: PlannedArray,
): Promise<Block> {
  const { axis, dates } = valuesOf(array);
  const blocks = await Promise.all(
    pieces.map(async ({ facts }, i) => {
      const block = await read(i);
      return dates === undefined ? block : inTurns(inForm(block, decodingOf(facts, array.path), dates));
    }),
  );
  const first = defined(blocks[0]);
  if (blocks.length === 1) return first;
  const strides = stridesOf(box, 1);
  const stride = defined(strides[axis]);
  const dimsOf = (block: Block, bytes: number) => {
    const from = stridesOf(block.shape, bytes);
    return block.shape.map((count, d) => ({ count, from: defined(from[d]), to: defined(strides[d]) * bytes })); // prettier-ignore
  };
  if ('items' in first) {
    const items = new ItemStore(sizeOf(box));
    for (const [i, block] of blocks.entries())
      if ('items' in block)
        copyItems(block.items, 0, items, defined(pieces[i]).at * stride, dimsOf(block, 1));
    return { dtype: first.dtype, shape: box, items };
  }
  const { itemSize } = first.dtype;
  const bytes = new Uint8Array(sizeOf(box) * itemSize);
  for (const [i, block] of blocks.entries())
    if ('bytes' in block)
      await inTurns(
        copyPiece(
          {
            source: block.bytes,
            at: defined(pieces[i]).at * stride * itemSize,
            dims: dimsOf(block, itemSize),
            itemSize,
          },
          bytes,
        ),
      );
  return { dtype: first.dtype, shape: box, bytes };
}

interface PieceCopy {
  readonly source: Uint8Array;
  /** Position in the target, in bytes. */
  readonly at: number;
  readonly dims: readonly CopyDim[];
  readonly itemSize: number;
}

function* copyPiece({ source, at, dims, itemSize }: PieceCopy, target: Uint8Array): Generator<void> {
  for (const part of copyPieces({ from: 0, to: at, dims }, itemSize)) {
    copyStrided(source, part.from, target, part.to, part.dims, itemSize);
    yield;
  }
}

/** A part of the values of a run. */
function partOf(block: Block, ranges: Ranges, axis: number, start: number): Block {
  if ('items' in block) throw new TypeError('the elements have no fixed size');
  const shape = ranges.map((range) => range.stop - range.start);
  const stride = sizeOf(shape.slice(axis + 1)) * block.dtype.itemSize;
  const begin = (defined(ranges[axis]).start - start) * stride;
  return {
    ...block,
    shape,
    bytes: block.bytes.subarray(begin, begin + sizeOf(shape) * block.dtype.itemSize),
  };
}
