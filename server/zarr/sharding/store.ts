/**
 * A shard is a small key-value store: this wraps a store of objects as a store of innermost chunks, whatever the
 * number of levels. Indexes are read once a call; the parts of one object must be of one version, else CONFLICT.
 */
import type { ShardSpec } from '../codec/codec.js';
import { CodecError, ConflictError, LimitError } from '../errors.js';
import { createPause } from '../turns.js';
import type { ReadAnswer, ReadOptions, ReadRequest, Store } from '../store/store.js';
import { entriesOf, present, readIndexEntries } from './read-index.js';
import type { ShardIndexCache } from './index-cache.js';
import { assertIndexSize } from './index-cost.js';
import type { IndexEntry } from './shard-index.js';

/** An innermost chunk: the object's key and one index entry a level; without entries the object itself. */
export interface InnerChunkKey {
  readonly object: string;
  readonly entries: readonly number[];
}

/** Inner chunks of one shard that are asked for together. */
const MAX_CHUNKS_AT_ONCE = 1024;

/** A shard, or a shard within it, with the entries of its index that are wanted. */
interface OpenShard {
  readonly entries: ReadonlyMap<number, IndexEntry>;
  /** Where it begins in its object. */
  readonly start: number;
  readonly version: string | undefined;
}

interface Pending {
  readonly i: number;
  readonly request: ReadRequest<InnerChunkKey>;
}

export function describeUnit(key: InnerChunkKey): string {
  return key.entries.length === 0 ? key.object : `inner chunk ${key.entries.join('/')} of ${key.object}`;
}

/**
 * @param specs the levels, from the outside in; empty for an array that is not sharded
 * @param known indexes that were read before; with it, a shard that has not changed is only asked whether it has
 */
export function withShards(
  base: Store,
  specs: readonly ShardSpec[],
  known?: ShardIndexCache,
): Store<InnerChunkKey> {
  return {
    label: base.label,
    can: base.can,
    describe: describeUnit,
    getMany: (requests, each, options) =>
      specs.length === 0
        ? base.getMany(
            requests.map((request) => ({ ...request, key: request.key.object })),
            each,
            options,
          )
        : readFromShards(requests, each, options),
  };

  async function readFromShards(
    ...[requests, each, options]: Parameters<Store<InnerChunkKey>['getMany']>
  ): Promise<void> {
    specs.forEach(assertIndexSize);
    const byObject = new Map<string, Pending[]>();
    requests.forEach((request, i) => {
      const list = byObject.get(request.key.object);
      if (list === undefined) byObject.set(request.key.object, [{ i, request }]);
      else list.push({ i, request });
    });
    await createPause()();
    await Promise.all(
      [...byObject].map(([key, pending]) => readObject(base, specs, key, pending, each, options, known)),
    );
  }
}

async function readObject(
  base: Store,
  specs: readonly ShardSpec[],
  key: string,
  pending: readonly Pending[],
  each: (i: number, answer: ReadAnswer) => void,
  options: ReadOptions | undefined,
  known: ShardIndexCache | undefined,
): Promise<void> {
  const [outer] = specs;
  if (outer === undefined) return;
  const asked = commonVersion(pending);
  const before = known?.get(key);
  const version = asked ?? before?.version;
  const wanted = entriesAt(pending, 0);
  const condition = version === undefined ? {} : { ifNoneMatch: version };
  const answer = await readIndexEntries(base, outer, { key, part: undefined }, wanted, condition, options);
  if (answer === undefined || (answer === 'unchanged' && asked !== undefined)) {
    const pause = createPause();
    for (const { i } of pending) {
      each(i, answer);
      await pause();
    }
    return;
  }
  let shard: OpenShard | undefined;
  if (answer !== 'unchanged') {
    shard = { ...answer, start: 0 };
    if (answer.index !== undefined && answer.version !== undefined)
      known?.set(key, { index: answer.index, version: answer.version });
  } else if (before !== undefined)
    shard = { entries: entriesOf(before.index, wanted), version: before.version, start: 0 };
  if (shard === undefined)
    throw new ConflictError('the shard changed while it was being read', { where: { key } });
  await readLevel(base, specs, 0, key, shard, pending, each, options);
}

function entriesAt(pending: readonly Pending[], level: number): number[] {
  return [...new Set(pending.map(({ request }) => request.key.entries[level] ?? 0))];
}

/** The version that every request of an object asks about, if it is one and the same. */
function commonVersion(pending: readonly Pending[]): string | undefined {
  const version = pending[0]?.request.ifNoneMatch;
  return pending.every(({ request }) => request.ifNoneMatch === version) ? version : undefined;
}

async function readLevel(
  base: Store,
  specs: readonly ShardSpec[],
  level: number,
  key: string,
  shard: OpenShard,
  pending: readonly Pending[],
  each: (i: number, answer: ReadAnswer) => void,
  options: ReadOptions | undefined,
): Promise<void> {
  const same = shard.version === undefined ? {} : { ifMatch: shard.version };
  const byEntry = new Map<number, Pending[]>();
  const pause = createPause();
  for (const one of pending) {
    const entry = one.request.key.entries[level] ?? 0;
    if (!shard.entries.has(entry)) {
      each(one.i, undefined);
      await pause();
      continue;
    }
    const list = byEntry.get(entry);
    if (list === undefined) byEntry.set(entry, [one]);
    else list.push(one);
  }
  const groups = [...byEntry].map(([entry, ones]) => {
    const { offset, length } = shard.entries.get(entry) ?? { offset: 0, length: 0 };
    return { ones, offset: shard.start + offset, length };
  });
  if (groups.length === 0) return;
  const spec = specs[level + 1];
  if (spec !== undefined) {
    await Promise.all(
      groups.map(async ({ ones, offset, length }) => {
        if (length < spec.indexBytes)
          throw new CodecError(
            `the inner shard has ${length} bytes, fewer than its index of ${spec.indexBytes}`,
            { where: { key } },
          );
        const wanted = entriesAt(ones, level + 1);
        const answer = await readIndexEntries(
          base,
          spec,
          { key, part: { offset, length } },
          wanted,
          same,
          options,
        );
        if (answer === undefined || answer === 'unchanged')
          throw new ConflictError('the shard was deleted while it was being read; try again', {
            where: { key },
          });
        const inner = { entries: answer.entries, start: offset, version: shard.version };
        await readLevel(base, specs, level + 1, key, inner, ones, each, options);
      }),
    );
    return;
  }
  for (const { length } of groups) checkLength(length, key, options);
  // In pieces, of one version all the same: a shard can have a million inner chunks.
  for (let from = 0; from < groups.length; from += MAX_CHUNKS_AT_ONCE) {
    await readGroups(groups.slice(from, from + MAX_CHUNKS_AT_ONCE));
    await pause();
  }

  async function readGroups(some: typeof groups): Promise<void> {
    await base.getMany(
      some.map(({ offset, length }) => ({ key, range: { offset, length }, ...same })),
      (g, answer) => {
        const group = some[g];
        const value = present(answer, key);
        if (value.bytes.length !== group?.length)
          throw new CodecError(
            `the shard ends within an inner chunk: ${value.bytes.length} of ${group?.length} bytes are there`,
            { where: { key } },
          );
        const innerChunk = {
          ...value,
          offset: group.offset,
          ...(shard.version === undefined ? {} : { version: shard.version }),
        };
        for (const { i } of group.ones) each(i, innerChunk);
      },
      options,
    );
  }
}

function checkLength(length: number, key: string, options: ReadOptions | undefined): void {
  if (options?.maxBytes !== undefined && length > options.maxBytes)
    throw new LimitError(`an inner chunk takes ${length} stored bytes; ${options.maxBytes} are allowed`, {
      where: { key },
      excess: [{ limit: 'maxDecodedBytes', allowed: options.maxBytes, needed: length }],
    });
}
