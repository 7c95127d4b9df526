/**
 * A store that presents several others as one: `concatenate` joins the variables of members along a dimension, `merge`
 * joins variables of different members. It has documents and chunks like any other, so that everything that reads
 * stores reads it: a chunk is an object of a member if the chunks of all members align, otherwise it is computed from
 * their values.
 */
import { defined } from '../../wire/guards.js';
import {
  assertObjectSize,
  assertRequest,
  assertVersion,
  atKey,
  chunkKey,
  createBytePermits,
  defineStore,
  encodedBuffers,
  type KeyStore,
  type LocatedPart,
  type LocatedParts,
  MetadataError,
  parseChunkKey,
  type ReadOptions,
  type ReadRequest,
  type ReadResult,
  resolveRange,
  throwIfAborted,
} from '../zarr/index.js';
import { partsWithin } from './combined-array.js';
import { CombinedState, type CombineRule } from './combined-state.js';
import type { CombinedMember, MemberEngine } from './member.js';
import { type CombinedPlan, digest, type PlannedArray } from './plan.js';
import { chunkVersion, maxRunLength, openRun } from './read-values.js';

export type { CombinedMember, CombineRule };

export interface CombinedStoreOptions extends CombineRule {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /** The stores; a function if they change. None may contain this store. */
  readonly members:
    readonly CombinedMember[] | (() => Promise<readonly CombinedMember[]> | readonly CombinedMember[]);
  /**
   * Time in milliseconds for which the members count as unchanged after they were compared.
   * @default 1,000, with remote members 60,000. Comparing many members takes longer, and is repeated only after ten times as long, unless this is 0
   */
  readonly maxAgeMs?: number | undefined;
  /** How values of members are read for chunks that do not align. */
  readonly engine?: MemberEngine | undefined;
  /** Called when the store is closed. @default the members stay open */
  readonly close?: (() => Promise<void> | void) | undefined;
}

/** Memory for chunks that are computed at the same time. */
const COMPUTED_BYTES = 128 * 2 ** 20;
/** Members that are read together. */
const READ_TOGETHER = 32;

const READ_ONLY = 'it combines other stores; write to one of them';
const UNLISTABLE = 'a combined store cannot be listed; its consolidated metadata names all nodes';

/** Reads nothing: the first request opens the members. */
export function createCombinedStore(options: CombinedStoreOptions): KeyStore {
  const { label, members, maxAgeMs, engine = {}, along, comparesValues } = options;
  const list = typeof members === 'function' ? members : () => members;
  const state = new CombinedState({ rule: { along, comparesValues }, members: list, maxAgeMs, engine });
  const permits = createBytePermits(COMPUTED_BYTES);

  const store = defineStore({
    ...{
      kind: 'COMBINED',
      label,
      maxVersionChecks: 1024,
      readOnlyReason: READ_ONLY,
      unlistableReason: UNLISTABLE,
    },

    async getMany(requests, each, readOptions) {
      for (const request of requests) assertRequest(request);
      throwIfAborted(readOptions?.signal);
      if (requests.length === 0) return;
      const plan = await state.current(readOptions);
      let hasFailed = false;
      const answer = (index: number, result: ReadResult): void => {
        if (!hasFailed) each(index, result);
      };
      const byMember = new Map<number, MemberRead[]>();
      const computed: ComputedRead[] = [];
      for (const [index, request] of requests.entries()) {
        const { key } = request;
        const document = plan.documents.get(key);
        const found = document === undefined ? findChunk(plan, key) : undefined;
        if (document !== undefined)
          answer(
            index,
            atKey(label, key, () => partOf(request, document, readOptions)),
          );
        else if (found === undefined)
          answer(
            index,
            atKey(label, key, () => absent(request)),
          );
        else if (found.array.source.kind === 'held') {
          const held = { bytes: found.array.source.bytes, version: found.array.version };
          answer(
            index,
            atKey(label, key, () => partOf(request, held, readOptions)),
          );
        } else if (found.array.source.kind === 'values')
          computed.push({ ...found, request, answer: (result) => answer(index, result) });
        else {
          const { member, key: own } = objectOf(found);
          const read = { index, request: atKey(label, key, () => memberRequest(request, own, tagOf(plan, member))), path: found.array.path, required: request.ifMatch }; // prettier-ignore
          const known = byMember.get(member);
          if (known === undefined) byMember.set(member, [read]);
          else known.push(read);
        }
      }
      const work = [
        ...[...byMember].map(
          ([member, reads]) =>
            () =>
              readMember(plan, member, reads, readOptions, answer),
        ),
        () => readComputed(plan, computed, readOptions),
      ];
      try {
        await inParallel(work);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },

    // Parts of chunks of members may not be verified.
    verifiesObjects: true,
    locates: (path) => canLocate(state.known, path),

    async locate(keys, readOptions) {
      const plan = await state.current(readOptions);
      const owned = keys.map((key) => {
        const found = plan.documents.has(key) ? undefined : findChunk(plan, key);
        const isStored = found?.array.source.kind === 'member' || found?.array.source.kind === 'objects';
        return isStored ? objectOf(found) : undefined;
      });
      const member = mostFrequent(owned.flatMap((one) => one?.member ?? []));
      if (member === undefined) return undefined;
      return locateInMember(plan, member, owned, readOptions);
    },

    async close() {
      state.close();
      await options.close?.();
    },
  });

  /** Reads chunks that are computed from the values of the members. */
  async function readComputed(
    plan: CombinedPlan,
    reads: readonly ComputedRead[],
    readOptions: ReadOptions = {},
  ): Promise<void> {
    const open: ComputedRead[] = [];
    await inParallel(
      reads.map((read) => async () => {
        if (await isUnchanged(plan, read, readOptions)) read.answer('unchanged');
        else open.push(read);
      }),
    );
    await inParallel(runsOf(open).map((run) => () => readRun(plan, run, readOptions)));
  }

  async function isUnchanged(
    plan: CombinedPlan,
    { array, index, request: { ifNoneMatch, ifMatch } }: ComputedRead,
    readOptions: ReadOptions,
  ): Promise<boolean> {
    if (ifNoneMatch === undefined) return false;
    const version = await outdated(chunkVersion(plan, array, index, readOptions));
    if (version !== ifNoneMatch) return false;
    assertVersion(version, ifMatch);
    return true;
  }

  async function readRun(
    plan: CombinedPlan,
    reads: readonly ComputedRead[],
    readOptions: ReadOptions,
  ): Promise<void> {
    const { array, index } = defined(reads[0]);
    const run = await outdated(openRun(plan, { array, first: index, count: reads.length }, readOptions));
    const { taken } = readOptions;
    const lent: Uint8Array[] = [];
    const lend = (length: number): Uint8Array => {
      const bytes = encodedBuffers.acquire(length);
      lent.push(bytes);
      return bytes;
    };
    await permits.withPermits(run.bytes, readOptions.signal, async () => {
      const chunks = await run.read(readOptions, taken === undefined ? undefined : lend);
      const used: Promise<void>[] = [];
      for (const [k, { request, answer }] of reads.entries()) {
        answer(atKey(label, request.key, () => partOf(request, defined(chunks[k]), readOptions)));
        const using = taken?.();
        if (using !== undefined) used.push(using);
      }
      await Promise.all(used);
    });
    for (const bytes of lent) encodedBuffers.release(bytes);
  }

  /** A failure may mean that members have changed. */
  function outdated<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      state.outdate();
      throw error;
    });
  }

  return {
    ...store,
    get isLocal() {
      return state.isNear;
    },
    outdate: () => state.outdate(),
  };
}

interface FoundChunk {
  readonly array: PlannedArray;
  readonly index: readonly number[];
}

interface ComputedRead extends FoundChunk {
  readonly request: ReadRequest;
  readonly answer: (result: ReadResult) => void;
}

/** Groups reads of chunks that follow each other along the concatenated dimension. */
function runsOf(reads: readonly ComputedRead[]): ComputedRead[][] {
  const runs: ComputedRead[][] = [];
  const open = new Map<string, ComputedRead[]>();
  const inOrder = reads.toSorted((a, b) => positionOf(a) - positionOf(b));
  for (const read of inOrder) {
    const line = `${read.array.path} ${read.index.with(axisOf(read), 0).join()}`;
    const run = open.get(line);
    const follows = run !== undefined && positionOf(defined(run.at(-1))) + 1 === positionOf(read);
    if (follows && run.length < maxRunLength(read.array)) run.push(read);
    else {
      const next = [read];
      open.set(line, next);
      runs.push(next);
    }
  }
  return runs;
}

function axisOf({ array: { source } }: FoundChunk): number {
  if (source.kind !== 'values') throw new TypeError('the chunk is stored');
  return source.axis;
}

const positionOf = (found: FoundChunk): number => defined(found.index[axisOf(found)]);

/** The array and the position of a chunk; undefined for keys of nothing. */
function findChunk({ arrays }: CombinedPlan, key: string): FoundChunk | undefined {
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    const array = arrays.get(key.slice(0, end));
    if (array === undefined) continue;
    const index = parseChunkKey(array.keys, key.slice(end + 1), array.shape.length);
    return index?.every((at, d) => at < defined(array.counts[d])) === true ? { array, index } : undefined;
  }
  return undefined;
}

interface MemberObject {
  readonly member: number;
  readonly key: string;
}

/** The member that has a stored chunk, and its key there. */
function objectOf({ array, index }: FoundChunk): MemberObject {
  const { source, keys, path } = array;
  if (source.kind === 'member') return { member: source.member, key: `${path}/${chunkKey(keys, index)}` };
  if (source.kind !== 'objects') throw new TypeError('the chunk is not stored');
  const { axis, parts } = source;
  const at = defined(index[axis]);
  const part = defined(partsWithin(parts, at, at + 1)[0]);
  return { member: part.member, key: `${path}/${chunkKey(keys, index.with(axis, at - part.start))}` };
}

/** Whether the objects of an array are in local files of members. */
function canLocate(plan: CombinedPlan | undefined, path: string): boolean {
  const source = plan?.arrays.get(path)?.source;
  if (plan === undefined || source === undefined) return false;
  const owners = source.kind === 'member' ? [source.member] : source.kind === 'objects' ? source.parts.map(({ member }) => member) : []; // prettier-ignore
  return owners.length > 0 && owners.every((m) => canLocateIn(defined(plan.members[m]).member, path));
}

function canLocateIn({ store }: CombinedMember, path: string): boolean {
  return store.locate !== undefined && store.locates?.(path) !== false;
}

function mostFrequent(members: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const member of members) counts.set(member, (counts.get(member) ?? 0) + 1);
  return [...counts].reduce<readonly [number, number] | undefined>((most, next) => (most === undefined || next[1] > most[1] ? next : most), undefined)?.[0]; // prettier-ignore
}

/** Locates the objects of one member in local files. Those of others are read by the store. */
async function locateInMember(
  plan: CombinedPlan,
  member: number,
  objects: readonly (MemberObject | undefined)[],
  options: ReadOptions | undefined,
): Promise<LocatedParts | undefined> {
  const own = objects.flatMap((one, i) => (one?.member === member ? [{ i, key: one.key }] : []));
  const { store } = defined(plan.members[member]).member;
  const found = await store.locate?.(own.map(({ key }) => key), options); // prettier-ignore
  if (found === undefined) return undefined;
  const tag = tagOf(plan, member);
  const parts = new Array<LocatedPart>(objects.length).fill(undefined);
  for (const [k, { i }] of own.entries()) {
    const part = found.parts[k];
    // Absent chunks are fill values only while the array exists, which `readMember` checks.
    if (part === undefined || part === 'absent') continue;
    const { version, tag: inner = '' } = part;
    parts[i] = { ...part, tag: tag + inner, ...(version === undefined ? {} : { version: tag + version }) };
  }
  return { files: { ...found.files, checksAbsent: true }, parts };
}

interface MemberRead {
  readonly index: number;
  readonly request: ReadRequest;
  /** Path of the array. */
  readonly path: string;
  /** The version that the caller requires. */
  readonly required: string | undefined;
}

/** Distinguishes the versions of members, which may be equal by chance: the same chunk can become another member's. */
function tagOf({ members }: CombinedPlan, member: number): string {
  return `${digest(defined(members[member]).member.name).slice(0, 6)}:`;
}

/** @throws ConflictError for a required version of another member */
function memberRequest({ range, ifNoneMatch, ifMatch }: ReadRequest, key: string, tag: string): ReadRequest {
  const own = (version: string | undefined): string | undefined =>
    version?.startsWith(tag) === true ? version.slice(tag.length) : undefined;
  if (ifMatch !== undefined && own(ifMatch) === undefined) assertVersion(tag, ifMatch);
  const [known, required] = [own(ifNoneMatch), own(ifMatch)];
  return {
    key,
    ...(range === undefined ? {} : { range }),
    ...(known === undefined ? {} : { ifNoneMatch: known }),
    ...(required === undefined ? {} : { ifMatch: required }),
  };
}

async function readMember(
  plan: CombinedPlan,
  member: number,
  reads: readonly MemberRead[],
  options: ReadOptions | undefined,
  answer: (index: number, result: ReadResult) => void,
): Promise<void> {
  const { member: { store }, hierarchy } = defined(plan.members[member]); // prettier-ignore
  const tag = tagOf(plan, member);
  const missing: MemberRead[] = [];
  await store.getMany(
    reads.map(({ request }) => request),
    (position, result) => {
      const read = reads[position];
      if (read === undefined) throw new MetadataError('the store returned too many results');
      if (result === undefined) missing.push(read);
      else if (result === 'unchanged' || result.version === undefined) answer(read.index, result);
      else answer(read.index, { ...result, version: tag + result.version });
    },
    options,
  );
  // Absent chunks are fill values only while the array exists.
  for (const path of new Set(missing.map((read) => read.path))) {
    const array = await hierarchy.array(`/${path}`, { signal: options?.signal });
    await array.confirmMissing?.(options?.signal);
  }
  for (const { index, required } of missing) {
    assertVersion(undefined, required);
    answer(index, undefined);
  }
}

function absent({ ifMatch }: ReadRequest): undefined {
  assertVersion(undefined, ifMatch);
  return undefined;
}

function partOf(
  { range, ifNoneMatch, ifMatch }: ReadRequest,
  { bytes: all, version }: { readonly bytes: Uint8Array; readonly version: string | undefined },
  options: ReadOptions | undefined,
): ReadResult {
  assertVersion(version, ifMatch);
  if (version !== undefined && version === ifNoneMatch) return 'unchanged';
  const { offset, length } = resolveRange(range, all.length);
  assertObjectSize(length, options?.maxBytes);
  const bytes = all.subarray(offset, offset + length);
  return { bytes, total: all.length, ...(version === undefined ? {} : { version }) };
}

/** Runs all, some at a time. Rejects with the first failure. */
async function inParallel(work: readonly (() => Promise<void>)[]): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    for (let task = work[next++]; task !== undefined; task = work[next++]) await task();
  };
  await Promise.all(Array.from({ length: Math.min(READ_TOGETHER, work.length) }, run));
}
