/**
 * A shard is a small key-value store: this wraps a store of objects as a store of innermost chunks, whatever the
 * number of levels. Indexes are read once a call; the parts of one object must be of one version, else CONFLICT.
 */
import { LRUCache } from 'lru-cache';
import type { ShardSpec } from '../codec/codec.js';
import { CodecError, ConflictError, LimitError } from '../errors.js';
import type { ReadAnswer, ReadOptions, ReadRequest, Store, StoreValue } from '../store/store.js';
import { assertIndexSize, parseShardIndex, type ShardIndex } from './shard-index.js';

/** An innermost chunk: the object's key and one index entry a level; without entries the object itself. */
export interface UnitKey {
  readonly object: string;
  readonly entries: readonly number[];
}

/** A shard (or a shard within it) as it lies in its object: from `start`, `bytes` long where that is known. */
interface OpenShard {
  readonly index: ShardIndex;
  readonly start: number;
  readonly version: string | undefined;
}

interface Pending {
  readonly i: number;
  readonly request: ReadRequest<UnitKey>;
}

export function describeUnit(key: UnitKey): string {
  return key.entries.length === 0 ? key.object : `inner chunk ${key.entries.join('/')} of ${key.object}`;
}

/** An outermost index, and the version of its shard. */
interface KnownIndex {
  readonly index: ShardIndex;
  readonly version: string;
}

/** Outermost indexes of an array's shards, kept as long as their shards do not change. */
export type ShardIndexCache = LRUCache<string, KnownIndex>;

/** @param maxBytes of parsed indexes */
export function createShardIndexCache(maxBytes: number): ShardIndexCache {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ index }) => index.offsets.length * 16 + 256 });
}

/**
 * @param specs the levels, from the outside in; empty for an array that is not sharded
 * @param known indexes that were read before; with it, a shard that has not changed is only asked whether it has
 */
export function withShards(
  base: Store,
  specs: readonly ShardSpec[],
  known?: ShardIndexCache,
): Store<UnitKey> {
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
    ...[requests, each, options]: Parameters<Store<UnitKey>['getMany']>
  ): Promise<void> {
    specs.forEach(assertIndexSize);
    const byObject = new Map<string, Pending[]>();
    requests.forEach((request, i) => {
      const list = byObject.get(request.key.object);
      if (list === undefined) byObject.set(request.key.object, [{ i, request }]);
      else list.push({ i, request });
    });
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
  const range =
    outer.indexLocation === 'end' ? { suffix: outer.indexBytes } : { offset: 0, length: outer.indexBytes };
  const answer = await readOne(
    base,
    { key, range, ...(version === undefined ? {} : { ifNoneMatch: version }) },
    options,
  );
  if (answer === undefined || (answer === 'unchanged' && asked !== undefined)) {
    for (const { i } of pending) each(i, answer);
    return;
  }
  const shard = answer === 'unchanged' ? before : openShard(outer, answer, key, known);
  if (shard === undefined)
    throw new ConflictError('the shard changed while it was being read', { where: { key } });
  await readLevel(base, specs, 0, key, { ...shard, start: 0 }, pending, each, options);
}

function openShard(
  spec: ShardSpec,
  answer: StoreValue,
  key: string,
  known: ShardIndexCache | undefined,
): Omit<OpenShard, 'start'> {
  const index = parseShardIndex(spec, indexPart(spec, answer, key), answer.total);
  const { version } = answer;
  if (version !== undefined) known?.set(key, { index, version });
  return { index, version };
}

/** The version that every request of an object asks about, if it is one and the same. */
function commonVersion(pending: readonly Pending[]): string | undefined {
  const version = pending[0]?.request.ifNoneMatch;
  return pending.every(({ request }) => request.ifNoneMatch === version) ? version : undefined;
}

function indexPart(spec: ShardSpec, answer: StoreValue, key: string): Uint8Array {
  if (answer.bytes.length === spec.indexBytes) return answer.bytes;
  throw new CodecError(
    `the shard has ${answer.total ?? answer.bytes.length} bytes, fewer than its index of ${spec.indexBytes}`,
    { where: { key } },
  );
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
  for (const one of pending) {
    const entry = one.request.key.entries[level] ?? 0;
    if ((shard.index.lengths[entry] ?? -1) < 0) {
      each(one.i, undefined);
      continue;
    }
    const list = byEntry.get(entry);
    if (list === undefined) byEntry.set(entry, [one]);
    else list.push(one);
  }
  const groups = [...byEntry].map(([entry, ones]) => ({
    ones,
    offset: shard.start + (shard.index.offsets[entry] ?? 0),
    length: shard.index.lengths[entry] ?? 0,
  }));
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
        const at = spec.indexLocation === 'end' ? offset + length - spec.indexBytes : offset;
        const range = { offset: at, length: spec.indexBytes };
        const answer = await readOne(base, { key, range, ...same }, options);
        const value = present(answer, key);
        const index = parseShardIndex(spec, indexPart(spec, value, key), length);
        const inner = { index, start: offset, version: shard.version };
        await readLevel(base, specs, level + 1, key, inner, ones, each, options);
      }),
    );
    return;
  }
  for (const { length } of groups) checkLength(length, key, options);
  await base.getMany(
    groups.map(({ offset, length }) => ({ key, range: { offset, length }, ...same })),
    (g, answer) => {
      const group = groups[g];
      const value = present(answer, key);
      if (value.bytes.length !== group?.length)
        throw new CodecError(
          `the shard ends within an inner chunk: ${value.bytes.length} of ${group?.length} bytes are there`,
          { where: { key } },
        );
      const unit = {
        ...value,
        offset: group.offset,
        ...(shard.version === undefined ? {} : { version: shard.version }),
      };
      for (const { i } of group.ones) each(i, unit);
    },
    options,
  );
}

function checkLength(length: number, key: string, options: ReadOptions | undefined): void {
  if (options?.maxBytes !== undefined && length > options.maxBytes)
    throw new LimitError(`an inner chunk takes ${length} stored bytes; ${options.maxBytes} are allowed`, {
      where: { key },
      excess: [{ limit: 'maxDecodedBytes', allowed: options.maxBytes, needed: length }],
    });
}

function present(answer: ReadAnswer, key: string): StoreValue {
  if (answer === undefined || answer === 'unchanged')
    throw new ConflictError('the shard was deleted while it was being read; try again', { where: { key } });
  return answer;
}

async function readOne(
  base: Store,
  request: ReadRequest,
  options: ReadOptions | undefined,
): Promise<ReadAnswer> {
  let result: ReadAnswer;
  // An index has bounds of its own (assertIndexSize); the caller's are for chunks.
  await base.getMany([request], (_, answer) => (result = answer), { signal: options?.signal });
  return result;
}
