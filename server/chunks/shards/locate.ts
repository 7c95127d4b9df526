/** Locates inner chunks in one stored shard by the indexes of all its levels. */
import { defined } from '../../../wire/guards.js';
import type { ShardSpec } from '../../format/codec/codec.js';
import { CodecError, ConflictError, withContext } from '../../core/errors.js';
import type { Extent } from '../../store/checks.js';
import type { ReadOptions, Store } from '../../store/store.js';
import { createPause } from '../../core/turns.js';
import type { KnownIndex, ShardIndexCache } from './index-cache.js';
import { entriesOf, readIndexEntries, type ShardLocation } from './read-index.js';
import type { IndexEntry } from '../../format/codec/sharding/shard-index.js';

/** The ranges of inner chunks in their object, and the version for which they are valid. */
export interface LocatedChunks {
  readonly version: string | undefined;
  /** One range per requested chunk; undefined if the chunk is not stored. */
  readonly extents: readonly (Extent | undefined)[];
}

export interface InnerReadOptions extends ReadOptions {
  /**
   * Called for each shard in which requested inner chunks are absent, with its version; undefined if the
   * shard is absent.
   */
  readonly onLacking?: ((object: string, version: string | undefined) => void) | undefined;
}

/** A requested chunk: its index in the list, and one index entry per level. */
interface Wanted {
  readonly i: number;
  readonly entries: readonly number[];
}

interface Lookup {
  readonly base: Store;
  readonly specs: readonly ShardSpec[];
  readonly key: string;
  readonly options: ReadOptions | undefined;
  readonly found: (Extent | undefined)[];
  readonly pause: () => Promise<void> | undefined;
}

/** Maximum number of chunks to look up in one step. */
const MAX_CHUNKS_AT_ONCE = 1024;

/**
 * Locates chunks by a cached index without revalidating it. The caller must read them on the condition that
 * the shard still has its version.
 * @returns undefined if there is no cached index, shards are nested, too many chunks are requested, an entry
 * is invalid, or no chunk is stored, because no read would then detect an outdated index
 */
export function locateByKnownIndex(
  specs: readonly ShardSpec[],
  known: KnownIndex | undefined,
  chunks: readonly (readonly number[])[],
): LocatedChunks | undefined {
  if (known === undefined || specs.length !== 1 || chunks.length > MAX_CHUNKS_AT_ONCE) return undefined;
  const { index, version } = known;
  try {
    const extents = chunks.map(([entry = 0]) => index.entry(entry));
    return extents.some((extent) => extent !== undefined) ? { version, extents } : undefined;
  } catch {
    return undefined;
  }
}

/** The shards of an array. */
export interface ShardSource {
  readonly base: Store;
  /** The levels, from the outside in. */
  readonly specs: readonly ShardSpec[];
  /** Cached indexes. */
  readonly known: ShardIndexCache | undefined;
}

/**
 * @param source has at least one level
 * @param chunks index entries of each chunk, one per level
 * @param requestedVersion a version; the result is 'unchanged' if the object still has that version
 * @returns 'absent' if the object does not exist
 * @throws CodecError or ChecksumError for an invalid index; ConflictError if the shard changes; store errors
 */
export async function locateInShard(
  { base, specs, known }: ShardSource,
  key: string,
  chunks: readonly (readonly number[])[],
  requestedVersion: string | undefined,
  options: ReadOptions | undefined,
): Promise<LocatedChunks | 'unchanged' | 'absent'> {
  const [outer] = specs;
  if (outer === undefined) throw new CodecError('sharding requires at least one level');
  const before = known?.get(key);
  const version = requestedVersion ?? before?.version;
  const wanted = chunks.map((entries, i): Wanted => ({ i, entries }));
  const numbers = entriesAt(wanted, 0);
  const condition = version === undefined ? {} : { ifNoneMatch: version };
  const location = { key, part: undefined };
  const reading = readIndexEntries({ base, spec: outer, location, entries: numbers, condition, options });
  const result = await reading.catch((error: unknown) => {
    throw withContext(error, { key });
  });
  if (result === undefined) return 'absent';
  if (result === 'unchanged' && requestedVersion !== undefined) return 'unchanged';
  if (result === 'unchanged' && before === undefined)
    throw new ConflictError('the shard changed while it was being read; try again', { where: { key } });
  const found = new Array<Extent | undefined>(chunks.length).fill(undefined);
  const lookup = { base, specs, key, options, found, pause: createPause() };
  if (result !== 'unchanged') {
    if (result.index !== undefined && result.version !== undefined)
      known?.set(key, { index: result.index, version: result.version });
    await locateLevel(lookup, 0, result.entries, 0, result.version, wanted);
    return { version: result.version, extents: found };
  }
  const entries = before === undefined ? new Map<number, IndexEntry>() : entriesOf(before.index, numbers);
  await locateLevel(lookup, 0, entries, 0, before?.version, wanted);
  return { version: before?.version, extents: found };
}

function entriesAt(wanted: readonly Wanted[], level: number): number[] {
  return [...new Set(wanted.map(({ entries }) => defined(entries[level])))];
}

/** @param start offset of the shard of this level in its object */
async function locateLevel(
  lookup: Lookup,
  level: number,
  entries: ReadonlyMap<number, IndexEntry>,
  start: number,
  version: string | undefined,
  wanted: readonly Wanted[],
): Promise<void> {
  const { specs, found, pause } = lookup;
  const isInnermost = level === specs.length - 1;
  const inner = new Map<number, Wanted[]>();
  for (const chunk of wanted) {
    const number = defined(chunk.entries[level]);
    const entry = entries.get(number);
    const pausing = pause();
    if (pausing !== undefined) await pausing;
    if (entry === undefined) continue;
    if (isInnermost) found[chunk.i] = { offset: start + entry.offset, length: entry.length };
    else {
      const list = inner.get(number);
      if (list === undefined) inner.set(number, [chunk]);
      else list.push(chunk);
    }
  }
  await Promise.all(
    [...inner].map(async ([number, chunks]) => {
      const { offset, length } = entries.get(number) ?? { offset: 0, length: 0 };
      const part = { offset: start + offset, length };
      const read = await readInnerIndex(lookup, level + 1, part, version, entriesAt(chunks, level + 1));
      await locateLevel(lookup, level + 1, read, part.offset, version, chunks);
    }),
  );
}

/** @throws CodecError if the inner shard is too short; ConflictError if the object has changed */
async function readInnerIndex(
  { base, specs, key, options }: Lookup,
  level: number,
  part: NonNullable<ShardLocation['part']>,
  version: string | undefined,
  entries: readonly number[],
): Promise<ReadonlyMap<number, IndexEntry>> {
  const spec = specs[level];
  if (spec === undefined) return new Map();
  if (part.length < spec.indexBytes)
    throw new CodecError(
      `the inner shard has ${part.length} bytes, fewer than its index of ${spec.indexBytes}`,
      { where: { key } },
    );
  const same = version === undefined ? {} : { ifMatch: version };
  const result = await readIndexEntries({
    base,
    spec,
    location: { key, part },
    entries,
    condition: same,
    options,
  });
  if (result === undefined || result === 'unchanged')
    throw new ConflictError('the shard was deleted while it was being read; try again', { where: { key } });
  return result.entries;
}
