/**
 * The basis of an answer: everything that the stores told while it was computed. As long as they tell the same, the
 * answer is the same.
 */
import { hash } from 'node:crypto';
import {
  completedInline,
  createPause,
  type KeyStore,
  type Listing,
  type ReadRequest,
  type ReadResult,
  type StoreVersions,
  untilAborted,
  wrapStore,
} from '../../zarr/index.js';

/** What one store told. */
export interface StoreBasis {
  readonly store: KeyStore;
  /** The version of each object; undefined for an absent one. */
  readonly objects: ReadonlyMap<string, string | undefined>;
  /** The digest of each listing, by prefix. */
  readonly listings: ReadonlyMap<string, string>;
  /** Requests that compare the objects. */
  readonly requests: readonly ReadRequest[];
}

/** The state of a store that keeps its history. What a snapshot contains never changes. */
export interface SnapshotBasis {
  readonly history: Pick<StoreVersions, 'resolve'>;
  readonly snapshot: string;
}

/** Maximum number of objects and listings of a basis. */
const MAX_ENTRIES = 4096;
/**
 * Age in milliseconds from which the time of a change shows further changes. Linux updates the times of files every 1 to
 * 10 ms, and a writer may overwrite a file in place with as many bytes.
 */
const YOUNG_MS = 100;
/** Listings that a check requests together. */
const LISTED_AT_ONCE = 64;
/** Maximum number of names of a listing, because every check computes its digest. */
const MAX_LISTED = 10_000;

/** Collects a basis. */
export class BasisRecorder {
  readonly objects = new Map<string, string | undefined>();
  readonly listings = new Map<string, string>();
  readonly #most: number;
  #isUsable = true;
  #isRefused = false;

  constructor(readonly store: KeyStore) {
    this.#most = Math.min(store.maxVersionChecks, MAX_ENTRIES);
  }

  /** Whether everything that the store told can be compared later, and belongs to one state. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Whether the next recording of the same request would not be usable either. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Something was read that cannot be compared. */
  refuse(): void {
    this.#isRefused = true;
    this.fail();
  }

  /** A read failed, or showed two states. */
  fail(): void {
    this.#isUsable = false;
  }

  sawObject({ key, ifNoneMatch }: ReadRequest, result: ReadResult): void {
    if (!this.#isUsable) return;
    if (result === undefined) this.#see(this.objects, key, undefined);
    else {
      const version = result === 'unchanged' ? ifNoneMatch : result.version;
      if (version === undefined) this.refuse();
      else if (isYoung(result)) this.fail();
      else this.#see(this.objects, key, version);
    }
  }

  sawListing(prefix: string, listing: Listing): void {
    if (!this.#isUsable) return;
    const digest = digestOf(listing);
    if (digest === undefined) this.refuse();
    else this.#see(this.listings, prefix, digest);
  }

  #see<T>(known: Map<string, T>, name: string, told: T): void {
    if (known.has(name)) {
      if (known.get(name) !== told) this.fail();
      return;
    }
    known.set(name, told);
    if (this.objects.size + this.listings.size > this.#most) this.refuse();
  }
}

/** Whether the object was changed so lately that a further change could have the same time. */
function isYoung(result: ReadResult): boolean {
  const modifiedMs = typeof result === 'object' ? result.modifiedMs : undefined;
  return modifiedMs !== undefined && Date.now() - modifiedMs < YOUNG_MS;
}

function digestOf({ keys, folders }: Listing): string | undefined {
  if (keys.length + folders.length > MAX_LISTED) return undefined;
  return hash('sha256', JSON.stringify([keys, folders]), 'base64url');
}

/**
 * A store that reports to a recorder what it tells. What it cannot report, such as reads of files by threads, it does not
 * offer, or refuses the recording.
 */
export function recordedStore(recorder: BasisRecorder): KeyStore {
  const { store } = recorder;
  return wrapStore(store, {
    async getMany(requests, each, options) {
      if (options?.fresh === true) recorder.refuse();
      try {
        await store.getMany(
          requests,
          (i, result) => {
            const request = requests[i];
            if (request === undefined) recorder.refuse();
            else recorder.sawObject(request, result);
            each(i, result);
          },
          options,
        );
      } catch (error) {
        recorder.fail();
        throw error;
      }
    },
    async list(prefix, options) {
      if (options?.fresh === true) recorder.refuse();
      try {
        const listing = await store.list(prefix, options);
        recorder.sawListing(prefix, listing);
        return listing;
      } catch (error) {
        recorder.fail();
        throw error;
      }
    },
    walk(prefix, options) {
      recorder.refuse();
      return store.walk(prefix, options);
    },
  });
}

/** The bases that are compared with a store in one turn of the event loop. */
interface Check {
  readonly bases: Set<StoreBasis>;
  /** Resolves in the next turn, before the store is asked. */
  readonly begins: Promise<void>;
  /** Set when the store is asked: the bases that are current. Not a promise if the store told everything at once. */
  told: ReadonlySet<StoreBasis> | Promise<ReadonlySet<StoreBasis>> | undefined;
}

/** Compares bases with stores. Checks of one turn of the event loop ask once for each object. */
export class BasisChecks {
  /** The checks that have not begun, by store. */
  readonly #open = new Map<KeyStore, Check>();

  /**
   * Whether the store tells the same now. The check begins after this call, and calls after its beginning do not join it.
   * @throws store errors; AbortedError
   */
  async isCurrent(basis: StoreBasis, signal: AbortSignal): Promise<boolean> {
    const { store } = basis;
    let check = this.#open.get(store);
    if (check === undefined) {
      check = { bases: new Set(), begins: this.#nextTurn(store), told: undefined };
      this.#open.set(store, check);
    }
    check.bases.add(basis);
    await check.begins;
    check.told ??= ask(store, [...check.bases]);
    const current = check.told instanceof Promise ? await untilAborted(signal, check.told) : check.told;
    return current.has(basis);
  }

  /** Closes the check for others, and lets it begin. */
  async #nextTurn(store: KeyStore): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.#open.delete(store);
  }
}

type Versions = Map<string, string | undefined>;
type Digests = Map<string, string | undefined>;

/** Asks a store for everything that the bases contain. */
function ask(store: KeyStore, bases: readonly StoreBasis[]): NonNullable<Check['told']> {
  const [first] = bases;
  const hasListings = bases.some(({ listings }) => listings.size > 0);
  const count = bases.reduce((sum, { requests }) => sum + requests.length, 0);
  if (first === undefined || hasListings || count > MAX_ENTRIES) return askInParts(store, bases);
  const requests = bases.length === 1 ? first.requests : [...requestsOf(bases).values()];
  const versions: Versions = new Map();
  const compare = (): ReadonlySet<StoreBasis> =>
    new Set(bases.filter((basis) => isTold(basis, versions, new Map())));
  const reading = readVersions(store, requests, versions);
  return reading === undefined ? compare() : reading.then(compare);
}

/** Checks of many large answers together have hundreds of thousands of objects. */
async function askInParts(store: KeyStore, bases: readonly StoreBasis[]): Promise<ReadonlySet<StoreBasis>> {
  const pause = createPause();
  const requests = new Map<string, ReadRequest>();
  const prefixes = new Set<string>();
  for (const basis of bases) {
    requestsOf([basis], requests);
    for (const prefix of basis.listings.keys()) prefixes.add(prefix);
    await pause();
  }
  const versions: Versions = new Map();
  const [digests] = await Promise.all([
    digestsIn(store, [...prefixes]),
    (async () => {
      for (const part of partsOf([...requests.values()], MAX_ENTRIES)) {
        await readVersions(store, part, versions);
        await pause();
      }
    })(),
  ]);
  const told = new Set<StoreBasis>();
  for (const basis of bases) {
    if (isTold(basis, versions, digests)) told.add(basis);
    await pause();
  }
  return told;
}

async function digestsIn(store: KeyStore, prefixes: readonly string[]): Promise<Digests> {
  const digests: Digests = new Map();
  const pause = createPause();
  for (const part of partsOf(prefixes, LISTED_AT_ONCE)) {
    await Promise.all(
      part.map(async (prefix) => {
        const listing = await store.list(prefix);
        await pause();
        digests.set(prefix, digestOf(listing));
      }),
    );
  }
  return digests;
}

/** @returns undefined if the store told everything at once */
function readVersions(
  store: KeyStore,
  requests: readonly ReadRequest[],
  versions: Versions,
): Promise<void> | undefined {
  let count = 0;
  const reading = store.getMany(requests, (i, result) => {
    const request = requests[i];
    if (request === undefined) return;
    count += 1;
    const version = result === 'unchanged' ? request.ifNoneMatch : result?.version;
    // An object without a version is not absent, and has none of the versions of a basis.
    versions.set(request.key, result === undefined ? undefined : (version ?? ''));
  });
  const assertAll = (): void => {
    if (count !== requests.length) throw new TypeError('the store has not answered every request');
  };
  if (reading !== completedInline) return reading.then(assertAll);
  assertAll();
  return undefined;
}

function isTold({ objects, listings }: StoreBasis, versions: Versions, digests: Digests): boolean {
  for (const [key, version] of objects) if (versions.get(key) !== version) return false;
  for (const [prefix, digest] of listings) if (digests.get(prefix) !== digest) return false;
  return true;
}

/** Adds one request for each object. */
function requestsOf(
  bases: readonly StoreBasis[],
  requests = new Map<string, ReadRequest>(),
): ReadonlyMap<string, ReadRequest> {
  for (const basis of bases)
    for (const request of basis.requests) if (!requests.has(request.key)) requests.set(request.key, request);
  return requests;
}

function* partsOf<T>(list: readonly T[], length: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += length) yield list.slice(start, start + length);
}

/** Whether the store shows the same snapshot now. @throws store errors; AbortedError */
export async function isCurrentSnapshot(
  { history, snapshot }: SnapshotBasis,
  signal: AbortSignal,
): Promise<boolean> {
  return (await history.resolve(undefined, { signal })) === snapshot;
}

/** The store of a snapshot whose chunks may be in files that change: only documents may be read. */
export function documentsOnly(store: KeyStore, refuse: () => void): KeyStore {
  return wrapStore(store, {
    getMany(requests, each, options) {
      if (!requests.every(({ key }) => key === 'zarr.json' || key.endsWith('/zarr.json'))) refuse();
      return store.getMany(requests, each, options);
    },
  });
}

/** The basis, and the requests that compare its objects. */
export function basisOf({ store, objects, listings }: BasisRecorder): StoreBasis {
  const requests = Array.from(objects, ([key, version]) => requestFor(store, key, version));
  return { store, objects: new Map(objects), listings: new Map(listings), requests };
}

/** Reads at most one byte of an object that has changed, if the store reads parts. */
function requestFor({ can }: KeyStore, key: string, version: string | undefined): ReadRequest {
  return {
    key,
    ...(can.range ? { range: { offset: 0, length: 1 } } : {}),
    ...(version === undefined ? {} : { ifNoneMatch: version }),
  };
}
