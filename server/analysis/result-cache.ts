/**
 * Cache of computed results: reductions, lines and statistics. A result is stored under the versions of every object that it
 * was computed from, and these versions are requested from the stores on every lookup: a hit reads metadata only.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  type ArraySlice,
  objectName,
  type ObjectVersions,
  type ReadObject,
  versionsOfInputs,
} from '../zarr/index.js';
import { createFlights } from './flights.js';

/** What to compute, unless it is cached. */
export interface Computation<T> {
  /** Identifies the result, apart from the versions of stored objects. */
  readonly key: string;
  /** All inputs of the computation. */
  readonly inputs: readonly ArraySlice[];
  /** The versions of the inputs, if they have been requested already. */
  readonly versions?: ObjectVersions | undefined;
  /** @param onVersion receives the version of each object that is read */
  readonly run: (
    signal: AbortSignal | undefined,
    onVersion: (object: ReadObject, version: string | undefined) => void,
  ) => Promise<T>;
}

export interface ResultCache<T> {
  /**
   * Returns the cached result, or computes it. Concurrent computations with equal keys are shared. Callers
   * receive copies, which they may modify.
   * @throws errors of `Computation.run` and `versionsOfInputs`; AbortedError
   */
  get(computation: Computation<T>, signal: AbortSignal | undefined): Promise<T>;
}

/** `unversioned`: a store reports no versions, or too many objects are read to request them; computed without the cache. */
export type LookupOutcome = 'hit' | 'miss' | 'unversioned';

export interface ResultStoreOptions {
  /** Memory of all results in bytes; 0 disables the cache. */
  readonly maxBytes: number;
  readonly onLookup?: ((outcome: LookupOutcome) => void) | undefined;
}

/** Properties of one type of result. */
export interface ResultForm<T> {
  /** Name of the type: results of different types never mix. */
  readonly kind: string;
  /** Memory of a result in bytes; undefined if it must not be cached. */
  readonly bytesOf: (result: T) => number | undefined;
  readonly copyOf: (result: T) => T;
}

/** Memory that is shared by the caches of several types of results. */
export interface ResultStore {
  cacheOf<T>(form: ResultForm<T>): ResultCache<T>;
  readonly heldBytes: number;
}

/** The entry in the shared store. The result itself is known only to the cache of its type. */
interface Held {
  readonly bytes: number;
}

/** Maximum size of one result as a share of the cache. */
const MAX_SHARE = 1 / 4;
/** Memory of an entry's keys and bookkeeping. */
const ENTRY_BYTES = 500;

export function createResultStore({ maxBytes, onLookup }: ResultStoreOptions): ResultStore {
  const held = maxBytes > 0 ? new LRUCache<string, Held>({ maxSize: maxBytes, sizeCalculation }) : undefined;
  return {
    get heldBytes() {
      return held?.calculatedSize ?? 0;
    },
    cacheOf: (form) => createResultCache(form, held, maxBytes * MAX_SHARE, onLookup),
  };
}

function sizeCalculation({ bytes }: Held): number {
  return bytes;
}

function createResultCache<T>(
  { kind, bytesOf, copyOf }: ResultForm<T>,
  held: LRUCache<string, Held> | undefined,
  maxResultBytes: number,
  onLookup?: (outcome: LookupOutcome) => void,
): ResultCache<T> {
  const results = new WeakMap<Held, T>();
  const flights = createFlights<T>();

  async function compute(
    { run }: Computation<T>,
    entry: string,
    versions: ObjectVersions,
    signal: AbortSignal,
  ): Promise<T> {
    let isConsistent = true;
    const result = await run(signal, (object, version) => {
      const name = objectName(object);
      isConsistent &&= versions.has(name) && versions.get(name) === version;
    });
    const bytes = bytesOf(result);
    // An object was replaced in the meantime, so the result does not belong to these versions.
    if (!isConsistent || bytes === undefined || bytes + ENTRY_BYTES > maxResultBytes) return result;
    const kept = { bytes: bytes + ENTRY_BYTES };
    results.set(kept, copyOf(result));
    held?.set(entry, kept);
    return result;
  }

  return {
    async get(computation, signal) {
      if (held === undefined) return computation.run(signal, () => {});
      const versions =
        computation.versions ?? (await versionsOfInputs({ inputs: computation.inputs }, { signal }));
      if (versions === undefined) {
        onLookup?.('unversioned');
        return computation.run(signal, () => {});
      }
      const entry = entryOf(kind, computation.key, versions);
      const known = held.get(entry);
      const result = known === undefined ? undefined : results.get(known);
      if (result !== undefined) {
        onLookup?.('hit');
        return copyOf(result);
      }
      onLookup?.(flights.has(entry) ? 'hit' : 'miss');
      return flights.join(entry, (stop) => compute(computation, entry, versions, stop), signal, copyOf);
    },
  };
}

function entryOf(kind: string, key: string, versions: ObjectVersions): string {
  const hash = createHash('sha256').update(JSON.stringify([kind, key]));
  for (const [name, version] of [...versions].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(JSON.stringify([name, version ?? null]));
  return hash.digest('base64url');
}
