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
  copyItems,
  copyStrided,
  inTurns,
  ItemStore,
  NAT,
  numberType,
  printJson,
  type ReadOptions,
  sizeOf,
  type ZarrArray,
} from '../zarr/index.js';
import { type CommonDates, partsWithin } from './combined-array.js';
import type { MemberFacts } from './member-facts.js';
import { type CombinedPlan, digest, type PlannedArray } from './plan.js';

/** A part of a chunk that one member has. */
interface Piece {
  readonly facts: MemberFacts;
  readonly slice: ArraySlice;
  /** Start in the chunk, along the concatenated dimension. */
  readonly at: number;
}

export interface ValueChunk {
  /** Memory that computing the chunk takes, in bytes. */
  readonly bytes: number;
  /** The version from those of the members' objects, without reading values; undefined if a store has none. */
  version(options: ReadOptions): Promise<string | undefined>;
  /** @throws errors from reading; UnsupportedError for missing text */
  read(options: ReadOptions): Promise<{ readonly bytes: Uint8Array; readonly version: string | undefined }>;
}

/**
 * @param index position of the chunk in the grid
 * @throws ConflictError if a member has changed since the plan was made
 */
export async function valueChunk(
  plan: CombinedPlan,
  array: PlannedArray,
  index: readonly number[],
  { signal }: ReadOptions,
): Promise<ValueChunk> {
  const { source, shape, objectShape, path } = array;
  if (source.kind !== 'values') throw new TypeError('the chunks of the array are stored');
  const ranges = index.map((at, d) => {
    const start = at * defined(objectShape[d]);
    return { start, stop: Math.min(start + defined(objectShape[d]), defined(shape[d])) };
  });
  const { start, stop } = defined(ranges[source.axis]);
  const pieces = await Promise.all(
    partsWithin(source.parts, start, stop).map(async (part): Promise<Piece> => {
      const facts = defined(plan.members[part.member]);
      const from = Math.max(start, part.start);
      const dims = ranges.map((range, d) =>
        d === source.axis
          ? { kind: 'slice' as const, start: from - part.start, stop: Math.min(stop, part.stop) - part.start }
          : { kind: 'slice' as const, ...range },
      );
      const slice = (await currentArray(facts, path, signal)).select({ kind: 'dims', dims });
      return { facts, slice, at: from - start };
    }),
  );
  const box = ranges.map((range) => range.stop - range.start);
  const versionOf = (
    versions: readonly (ReadonlyMap<string, string | undefined> | undefined)[],
  ): string | undefined => {
    const known = versions.flatMap((one) => (one === undefined ? [] : [[...one].toSorted(byKey)]));
    if (known.length < versions.length) return undefined;
    return digest(JSON.stringify([array.version, known]));
  };
  const itemBytes = pieces.reduce((sum, { slice }) => sum + slice.cost().allocatedBytes, 0);
  return {
    bytes: itemBytes + 2 * sizeOf(objectShape) * (defined(pieces[0]).slice.dtype.itemSize ?? TEXT_BYTES),
    version: async (options) =>
      versionOf(await Promise.all(pieces.map(({ slice }) => slice.objectVersions(options)))),
    async read(options) {
      const versions = pieces.map(() => new Map<string, string | undefined>());
      let haveVersions = true;
      const blocks = await Promise.all(
        pieces.map(async ({ slice, facts }, i) => {
          const block = await slice.read({
            signal: options.signal,
            onVersion({ key }, version) {
              versions[i]?.set(key, version);
            },
          });
          return source.dates === undefined
            ? block
            : inTurns(inForm(block, decodingOf(facts, path), source.dates));
        }),
      );
      // An absent object has no version, but is known to be absent; one without a version is not known.
      for (const { facts } of pieces) haveVersions &&= !lacksVersions(facts);
      const block = assembled(blocks, pieces, box, source.axis);
      const bytes = chunkBytes(path, block, { ranges, chunkShape: objectShape });
      return { bytes, version: haveVersions ? versionOf(versions) : undefined };
    },
  };
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

function assembled(
  blocks: readonly Block[],
  pieces: readonly Piece[],
  box: readonly number[],
  axis: number,
): Block {
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) return only;
  const strides = box.map((_, d) => sizeOf(box.slice(d + 1)));
  const stride = defined(strides[axis]);
  const first = defined(blocks[0]);
  const dimsOf = (block: Block, bytes: number) =>
    block.shape.map((count, d) => ({
      count,
      from: sizeOf(block.shape.slice(d + 1)) * bytes,
      to: defined(strides[d]) * bytes,
    }));
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
      copyStrided(block.bytes, 0, bytes, defined(pieces[i]).at * stride * itemSize, dimsOf(block, itemSize), itemSize); // prettier-ignore
  return { dtype: first.dtype, shape: box, bytes };
}
