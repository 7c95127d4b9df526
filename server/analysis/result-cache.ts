/**
 * Cache of computed results: reductions, lines, statistics, pictures and repeated slices. A result is stored with the
 * version of every object that it was computed from. Every lookup compares these versions with the current ones of the
 * stores, so that a hit reads metadata only.
 */
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import {
  type ArraySlice,
  objectId,
  objectName,
  type ObjectVersions,
  type ReadObject,
  versionsOfInputs,
} from '../zarr/index.js';
import { createFlights } from './flights.js';

/** A computation whose result may be cached. */
export interface Computation<T> {
  /** Identifies the result, apart from the versions of stored objects. */
  readonly key: string;
  /** All inputs of the computation. */
  readonly inputs: readonly ArraySlice[];
  /** The versions of the inputs, if they have been requested already. */
  readonly versions?: ObjectVersions | undefined;
  /** See `LazySlice.joinKey`: results of the same inputs share one check of versions, so that they begin together. */
  readonly joinKey?: string | undefined;
  /** Whether the caller treats the result as read-only, so no copy is made. @default false */
  readonly isReadOnly?: boolean | undefined;
  /**
   * Whether the computation is cheap. A cheap result is cached only if it is soon requested again.
   * @default false
   */
  readonly isCheap?: boolean | undefined;
  /** @param onVersion receives the version of each object that is read */
  readonly run: (
    signal: AbortSignal | undefined,
    onVersion: (object: ReadObject, version: string | undefined) => void,
  ) => Promise<T>;
  /** Replaces `run` if the result is neither cached nor shared. @default run */
  readonly runAlone?: ((signal: AbortSignal | undefined) => Promise<T>) | undefined;
}

export interface ResultCache<T> {
  /**
   * Returns the cached result, or computes it. Concurrent computations with equal keys are shared. Callers
   * receive copies, which they may modify, unless `isReadOnly` is set.
   * @throws errors from `Computation.run` and `versionsOfInputs`; AbortedError
   */
  get(computation: Computation<T>, signal: AbortSignal | undefined): Promise<T>;
  /**
   * The encoded form of a cached result, kept in the same memory.
   * @param result as returned by `get` with `isReadOnly`
   * @param length size of the encoded form in bytes
   * @returns undefined if the result is not cached, or the encoded form is too large
   */
  encoded(result: T, length: number): EncodedForm | undefined;
}

/** Shared by all responses with a result. Each of them encodes the next piece if it is still missing. */
export interface EncodedForm {
  readonly bytes: Uint8Array;
  /** Number of bytes from the start that are complete. */
  filled: number;
}

/**
 * `unversioned`: not cached, because a store reports no versions or the read has too many objects to check.
 */
export type LookupOutcome = 'hit' | 'miss' | 'unversioned';

/** Results that other processes have computed, under ids that contain the versions of all inputs. */
export interface SecondLevel {
  /** @returns the result; undefined if it has none. Never rejects */
  get(id: string): Promise<unknown>;
  /** Receives a result with its size, and the time of its computation in ms. */
  set(id: string, result: unknown, bytes: number, milliseconds: number): void;
}

export interface ResultStoreOptions {
  /** @default only this process */
  readonly secondLevel?: SecondLevel | undefined;
  /** Maximum size of all results in bytes; 0 disables the cache. */
  readonly maxBytes: number;
  readonly onLookup?: ((outcome: LookupOutcome) => void) | undefined;
}

/** Properties of one type of result. */
export interface ResultKind<T> {
  /** Name of the type: results of different types never mix. */
  readonly kind: string;
  /** Size of a result in memory, in bytes; undefined if it must not be cached. */
  readonly sizeOf: (result: T) => number | undefined;
  readonly copyOf: (result: T) => T;
  /**
   * Narrows what the second level returns to a result; undefined if the result has parts that it cannot keep.
   * @default results of this type are not shared
   */
  readonly shared?: ((result: unknown) => T | undefined) | undefined;
}

/** Values of one type whose owner compares versions itself. */
export interface KeptValues<T> {
  get(key: string): T | undefined;
  /** @param bytes size in memory. @returns whether it is kept: neither too large nor is the cache disabled */
  set(key: string, value: T, bytes: number): boolean;
  delete(key: string): void;
  clear(): void;
  /** Maximum size of a value in bytes; 0 if the cache is disabled. */
  readonly maxBytes: number;
  /** What is known of a key that was requested lately. */
  noteOf(key: string): RequestNote | undefined;
  note(key: string, note: RequestNote): void;
}

/** When a value may be kept at the earliest. */
export interface RequestNote {
  /** Number of further requests before that. */
  readonly left: number;
  /** Number of requests that the last failed attempt to keep it has added. */
  readonly added: number;
}

/** It was requested once. */
export const requestedOnce: RequestNote = { left: 0, added: 0 };

/** Memory that is shared by the caches of several types of results. */
export interface ResultStore {
  cacheOf<T extends object>(form: ResultKind<T>): ResultCache<T>;
  valuesOf<T extends object>(kind: string): KeptValues<T>;
  readonly heldBytes: number;
}

/** The entry in the shared store. Only the cache of its type can access the result. */
interface Held {
  readonly bytes: number;
  readonly versions: ObjectVersions;
}

/** Identifies one result of a name. */
interface Named {
  readonly name: string;
}

/** Memory shared by the caches of all types of results. */
interface SharedMemory {
  readonly held: LRUCache<string, Held>;
  /** Keys of cheap results that have been requested. */
  readonly requested: LRUCache<string, RequestNote>;
}

/** Maximum size of one result as a share of the cache. */
const MAX_SHARE = 1 / 4;
/** Estimated memory of an entry's key and bookkeeping, in bytes. */
const ENTRY_BYTES = 500;
/** Estimated memory of an object's name and version, in bytes. */
const VERSION_BYTES = 300;
/** Maximum number of keys of cheap results that have been requested. */
const MAX_REQUESTED = 4096;

/** Maximum number of remote chunks whose versions are requested for the first lookup of a result. */
const MANY_CHUNKS = 64;

export function createResultStore({ maxBytes, onLookup, secondLevel }: ResultStoreOptions): ResultStore {
  const memory: SharedMemory | undefined =
    maxBytes > 0
      ? {
          held: new LRUCache({ maxSize: maxBytes, sizeCalculation }),
          requested: new LRUCache({ max: MAX_REQUESTED }),
        }
      : undefined;
  return {
    get heldBytes() {
      return memory?.held.calculatedSize ?? 0;
    },
    valuesOf: (kind) => createKeptValues(kind, memory, maxBytes * MAX_SHARE),
    cacheOf: (form) => createResultCache(form, memory, maxBytes * MAX_SHARE, { onLookup, secondLevel }),
  };
}

function sizeCalculation({ bytes }: Held): number {
  return bytes;
}

function createKeptValues<T extends object>(
  kind: string,
  memory: SharedMemory | undefined,
  maxBytes: number,
): KeptValues<T> {
  const values = new WeakMap<Held, T>();
  const nameOf = (key: string): string => `${kind}\0${key}`;
  return {
    maxBytes,
    get(key) {
      const held = memory?.held.get(nameOf(key));
      return held === undefined ? undefined : values.get(held);
    },
    set(key, value, bytes) {
      if (memory === undefined || bytes + ENTRY_BYTES > maxBytes) return false;
      const kept: Held = { bytes: bytes + ENTRY_BYTES, versions: new Map() };
      values.set(kept, value);
      memory.held.set(nameOf(key), kept);
      return true;
    },
    delete: (key) => void memory?.held.delete(nameOf(key)),
    clear() {
      for (const name of memory?.held.keys() ?? [])
        if (name.startsWith(nameOf(''))) memory?.held.delete(name);
    },
    noteOf: (key) => memory?.requested.get(nameOf(key)),
    note: (key, note) => void memory?.requested.set(nameOf(key), note),
  };
}

function createResultCache<T extends object>(
  { kind, sizeOf, copyOf, shared }: ResultKind<T>,
  memory: SharedMemory | undefined,
  maxResultBytes: number,
  { onLookup, secondLevel }: Pick<ResultStoreOptions, 'onLookup' | 'secondLevel'>,
): ResultCache<T> {
  const results = new WeakMap<Held, T>();
  /** The entries of the results that callers share. */
  const entries = new WeakMap<T, Named>();
  /** Encoded forms do not refer to results, so that they keep none in memory. */
  const encodings = new WeakMap<Held, { readonly of: Named; readonly form: EncodedForm }>();
  const flights = createFlights<T>();
  const checks = createFlights<ObjectVersions | undefined>();
  let turn = 0;

  /**
   * The current versions. Lookups of a result in one turn of the event loop share one check, which begins after all of
   * them; later lookups do not join it.
   */
  function currentVersions(
    name: string,
    inputs: readonly ArraySlice[],
    expected: ObjectVersions | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ObjectVersions | undefined> {
    const check = async (stop: AbortSignal): Promise<ObjectVersions | undefined> => {
      // Not `nextTurn`, which resumes one waiting check per turn: many results are checked at the same time.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      turn++;
      return versionsOfInputs({ inputs }, { signal: stop, expected });
    };
    // Reads through another store do not join, such as those that record what a request depends on.
    const [first] = inputs;
    const store = first === undefined ? 0 : objectId(first.array.context.store);
    return checks.join(`${turn} ${store} ${name}`, check, signal);
  }

  async function compute(
    { run }: Computation<T>,
    name: string,
    versions: ObjectVersions,
    signal: AbortSignal,
    id: string,
  ): Promise<T> {
    let isConsistent = true;
    if (secondLevel !== undefined && shared !== undefined) {
      const found = shared(await secondLevel.get(id));
      if (found !== undefined) return keep(found, name, versions);
    }
    const started = performance.now();
    const result = await run(signal, (object, version) => {
      const read = objectName(object);
      isConsistent &&= versions.has(read) && versions.get(read) === version;
    });
    // An object was replaced during the computation, so the result does not belong to these versions.
    if (!isConsistent) return result;
    const bytes = sizeOf(result);
    if (bytes !== undefined && shared?.(result) !== undefined)
      secondLevel?.set(id, result, bytes, performance.now() - started);
    return keep(result, name, versions);
  }

  function keep(result: T, name: string, versions: ObjectVersions): T {
    const own = sizeOf(result);
    if (own === undefined) return result;
    const bytes = own + ENTRY_BYTES + versions.size * VERSION_BYTES;
    if (bytes > maxResultBytes) return result;
    const kept: Held = { bytes, versions };
    results.set(kept, result);
    entries.set(result, { name });
    memory?.held.set(name, kept);
    return result;
  }

  /** Whether a cheap result is requested for the first time. */
  function isFirstRequest(name: string): boolean {
    if (memory === undefined || memory.requested.has(name)) return false;
    memory.requested.set(name, requestedOnce);
    return true;
  }

  return {
    async get(computation, signal) {
      const { key, inputs, joinKey, isReadOnly = false, isCheap = false } = computation;
      const name = `${kind}\0${key}`;
      const runAlone = computation.runAlone ?? ((stop) => computation.run(stop, () => {}));
      if (memory === undefined) return runAlone(signal);
      if ((isCheap || hasManyRemote(inputs)) && !memory.held.has(name) && isFirstRequest(name)) {
        if (!isCheap) onLookup?.('miss');
        return runAlone(signal);
      }
      const known = memory.held.get(name);
      const versions =
        computation.versions ??
        (await currentVersions(
          known === undefined ? (joinKey ?? name) : name,
          inputs,
          known?.versions,
          signal,
        ));
      if (versions === undefined) {
        onLookup?.('unversioned');
        return runAlone(signal);
      }
      let result = known !== undefined && areEqual(known.versions, versions) ? results.get(known) : undefined;
      if (result === undefined) {
        const flight = flightOf(name, versions);
        onLookup?.(flights.has(flight) ? 'hit' : 'miss');
        result = await flights.join(
          flight,
          (stop) => compute(computation, name, versions, stop, flight),
          signal,
        );
      } else onLookup?.('hit');
      return isReadOnly ? result : copyOf(result);
    },
    encoded(result, length) {
      const entry = entries.get(result);
      const bytes = length + ENTRY_BYTES;
      if (memory === undefined || entry === undefined || bytes > maxResultBytes) return undefined;
      const name = `${entry.name}\0encoded`;
      const held = memory.held.get(name);
      const known = held === undefined ? undefined : encodings.get(held);
      if (known?.of === entry) return known.form;
      const kept: Held = { bytes, versions: new Map() };
      const form = { bytes: new Uint8Array(length), filled: 0 };
      encodings.set(kept, { of: entry, form });
      memory.held.set(name, kept);
      return form;
    },
  };
}

/**
 * Whether requesting the versions would delay a computation too much. Such a result is cached only when it is requested
 * again.
 */
function hasManyRemote(inputs: readonly ArraySlice[]): boolean {
  const remote = inputs.filter(({ array }) => !array.context.store.isLocal);
  return remote.reduce((chunks, input) => chunks + input.cost().chunks, 0) > MANY_CHUNKS;
}

function areEqual(some: ObjectVersions, others: ObjectVersions): boolean {
  if (some.size !== others.size) return false;
  for (const [name, version] of some) if (!others.has(name) || others.get(name) !== version) return false;
  return true;
}

/** Identifies a running computation. */
function flightOf(name: string, versions: ObjectVersions): string {
  const hash = createHash('sha256').update(name);
  for (const [object, version] of [...versions].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(JSON.stringify([object, version ?? null]));
  return hash.digest('base64url');
}
