/**
 * The basis of an answer: everything that the stores told while it was computed. As long as they tell the same, the
 * answer is the same.
 */
import { hash } from 'node:crypto';
import { type KeyStore, type ReadRequest, wrapStore } from '../../zarr/index.js';

type Listing = Awaited<ReturnType<KeyStore['list']>>;
type ReadResult = Parameters<Parameters<KeyStore['getMany']>[1]>[1];

/** What one store told. */
export interface StoreBasis {
  readonly store: KeyStore;
  /** The version of each object; undefined for an absent one. */
  readonly objects: ReadonlyMap<string, string | undefined>;
  /** The digest of each listing, by prefix. */
  readonly listings: ReadonlyMap<string, string>;
}

/** Maximum number of objects and listings of a basis. */
const MAX_ENTRIES = 4096;
/** Maximum number of names of a listing, because every check computes its digest. */
const MAX_LISTED = 10_000;

/** Collects a basis. */
export class BasisRecorder implements StoreBasis {
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

/** What a store tells in one turn of the event loop. */
interface Check {
  readonly requests: Map<string, ReadRequest>;
  readonly prefixes: Set<string>;
  readonly told: Promise<Told>;
}

interface Told {
  /** The version of each object; undefined for an absent one, null for one without a version. */
  readonly objects: ReadonlyMap<string, string | undefined | null>;
  readonly listings: ReadonlyMap<string, string | undefined>;
}

/** Compares bases with stores. Checks of one turn of the event loop ask once for each object. */
export class BasisChecks {
  /** The checks that have not begun, by store. */
  readonly #open = new Map<KeyStore, Check>();

  /**
   * Whether the store tells the same now. The check begins after this call, and calls after its beginning do not join it.
   * @throws store errors
   */
  async isCurrent({ store, objects, listings }: StoreBasis): Promise<boolean> {
    const check = this.#open.get(store) ?? this.#openCheck(store);
    for (const [key, version] of objects)
      if (!check.requests.has(key)) check.requests.set(key, requestFor(store, key, version));
    for (const prefix of listings.keys()) check.prefixes.add(prefix);
    const told = await check.told;
    for (const [key, version] of objects) if (told.objects.get(key) !== version) return false;
    for (const [prefix, digest] of listings) if (told.listings.get(prefix) !== digest) return false;
    return true;
  }

  #openCheck(store: KeyStore): Check {
    const requests = new Map<string, ReadRequest>();
    const prefixes = new Set<string>();
    const ask = async (): Promise<Told> => {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      this.#open.delete(store);
      const [objects, listings] = await Promise.all([
        versionsIn(store, [...requests.values()]),
        digestsIn(store, prefixes),
      ]);
      return { objects, listings };
    };
    const check = { requests, prefixes, told: ask() };
    this.#open.set(store, check);
    return check;
  }
}

/** Reads at most one byte of an object that has changed, if the store reads parts. */
function requestFor({ can }: KeyStore, key: string, version: string | undefined): ReadRequest {
  return {
    key,
    ...(can.range ? { range: { offset: 0, length: 1 } } : {}),
    ...(version === undefined ? {} : { ifNoneMatch: version }),
  };
}

async function versionsIn(store: KeyStore, requests: readonly ReadRequest[]): Promise<Told['objects']> {
  const versions = new Map<string, string | undefined | null>();
  // Without an answer, an object must not count as absent.
  for (const { key } of requests) versions.set(key, null);
  await store.getMany(requests, (i, result) => {
    const request = requests[i];
    if (request === undefined) return;
    if (result === undefined) versions.set(request.key, undefined);
    else
      versions.set(
        request.key,
        result === 'unchanged' ? (request.ifNoneMatch ?? null) : (result.version ?? null),
      );
  });
  return versions;
}

async function digestsIn(store: KeyStore, prefixes: ReadonlySet<string>): Promise<Told['listings']> {
  const digests = new Map<string, string | undefined>();
  await Promise.all(
    Array.from(prefixes, async (prefix) => digests.set(prefix, digestOf(await store.list(prefix)))),
  );
  return digests;
}
