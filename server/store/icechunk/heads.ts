/**
 * The snapshots of branches and tags. The library is asked for each one once; from then on, the objects that it read
 * meanwhile are compared, which takes one request per object and no message to its thread.
 */
import { LRUCache } from 'lru-cache';
import { InputError, NotFoundError } from '../../core/errors.js';
import { untilAborted } from '../retries.js';
import type { KeyStore, ReadOptions, ReadRequest, VersionRef } from '../store.js';
import { MAX_FILE_BYTES } from './protocol.js';

export interface HeadsOptions {
  /** The objects of the repository, without a cache. */
  readonly objects: KeyStore;
  /** Time for which the snapshot of a branch or tag is used without asking again, in ms. */
  readonly maxAgeMs: number;
  /** Asks the library. */
  readonly ask: (ref: VersionRef) => Promise<string>;
}

interface Head {
  readonly until: number;
  readonly snapshot: Promise<string>;
  readonly seen: Seen;
}

/** Versions of the objects that determine a snapshot, null for absent ones; undefined if they are not known. */
type Seen = Map<string, string | null> | undefined;

/** Maximum number of remembered branches, tags and snapshots. */
const MAX_HEADS = 1000;
/** Maximum length of the name of a branch or tag. */
const MAX_NAME = 1000;
/** Maximum number of objects whose versions are remembered for a snapshot. The library reads one to three. */
const MAX_SEEN = 10;

/** The identifiers of snapshots: Crockford's base 32 of 12 bytes. */
const snapshotId = /^[0-9A-HJKMNP-TV-Z]{20}$/;
/** Objects that never change after they were written, and the configuration: no branch depends on them. */
const otherObject = /^(?:(?:snapshots|manifests|transactions|chunks)\/|config\.yaml$)/;

export class Heads {
  readonly #options: HeadsOptions;
  readonly #heads = new LRUCache<string, Head>({ max: MAX_HEADS });
  /** What questions to the library that are being answered have read so far. */
  readonly #asking = new Set<Asking>();

  constructor(options: HeadsOptions) {
    this.#options = options;
  }

  /**
   * The snapshot of a branch or tag, at most `maxAgeMs` old. Concurrent callers share one question.
   * @throws NotFoundError for an absent branch, tag or snapshot; InputError for an invalid name
   */
  async resolve(ref: VersionRef, options?: Pick<ReadOptions, 'signal' | 'fresh'>): Promise<string> {
    assertRef(ref);
    const key = JSON.stringify(ref);
    const known = this.#heads.get(key);
    const now = performance.now();
    if (options?.fresh !== true && known !== undefined && known.until > now)
      return untilAborted(options?.signal, known.snapshot);
    // A snapshot never changes.
    const until = 'snapshot' in ref ? Infinity : now + Math.max(1, this.#options.maxAgeMs);
    const asking: Asking = { seen: new Map() };
    // Without the signal of this caller, because others may wait for the same question.
    const snapshot = this.#resolve(ref, known, asking);
    const head: Head = {
      until,
      snapshot,
      get seen() {
        return asking.seen;
      },
    };
    this.#heads.set(key, head);
    snapshot.catch(() => {
      if (this.#heads.peek(key) === head) this.#heads.delete(key);
    });
    return untilAborted(options?.signal, snapshot);
  }

  /** Requires that all branches and tags are compared with the repository, because another process has committed. */
  outdate(): void {
    for (const [key, head] of this.#heads.entries())
      if (head.until !== Infinity) this.#heads.set(key, { ...head, until: 0 });
  }

  /** Receives a commit of this process. */
  move(branch: string, snapshot: string): void {
    const until = performance.now() + Math.max(1, this.#options.maxAgeMs);
    this.#heads.set(JSON.stringify({ branch }), {
      until,
      snapshot: Promise.resolve(snapshot),
      seen: undefined,
    });
  }

  /** Receives each object that the library reads. @param version null if it is absent */
  noteRead(path: string, version: string | null | undefined): void {
    if (otherObject.test(path)) return;
    for (const asking of this.#asking) {
      const before = asking.seen?.get(path);
      // Of two versions, the answer may depend on the first one.
      const isUnclear = version === undefined || (before !== undefined && before !== version);
      if (isUnclear || (asking.seen?.size ?? 0) >= MAX_SEEN) asking.seen = undefined;
      else asking.seen?.set(path, version);
    }
  }

  /** Receives each list that the library reads, which has no version. */
  noteList(): void {
    for (const asking of this.#asking) asking.seen = undefined;
  }

  async #resolve(ref: VersionRef, known: Head | undefined, asking: Asking): Promise<string> {
    const before = await known?.snapshot.catch(() => undefined);
    const seen = known?.seen;
    if (before !== undefined && seen !== undefined && seen.size > 0 && (await this.#isSame(seen))) {
      asking.seen = seen;
      return before;
    }
    this.#asking.add(asking);
    try {
      return await this.#options.ask(ref);
    } finally {
      this.#asking.delete(asking);
    }
  }

  /** Whether the objects still have these versions. */
  async #isSame(seen: ReadonlyMap<string, string | null>): Promise<boolean> {
    const expected = [...seen];
    const requests = expected.map(([key, version]): ReadRequest =>
      version === null ? { key } : { key, ifNoneMatch: version },
    );
    let same = 0;
    await this.#options.objects.getMany(
      requests,
      (i, result) => {
        const isAbsent = expected[i]?.[1] === null;
        if (isAbsent ? result === undefined : result === 'unchanged') same += 1;
      },
      { maxBytes: MAX_FILE_BYTES, fresh: true },
    );
    return same === expected.length;
  }
}

interface Asking {
  seen: Seen;
}

function assertRef(ref: VersionRef): void {
  if ('snapshot' in ref) {
    if (!snapshotId.test(ref.snapshot))
      throw new InputError(
        `${JSON.stringify(ref.snapshot.slice(0, 40))} is not the id of a snapshot: 20 digits and capital letters`,
      );
    return;
  }
  const name = 'branch' in ref ? ref.branch : ref.tag;
  if (name === '' || name.length > MAX_NAME || name.includes('/'))
    throw new NotFoundError(`no ${'branch' in ref ? 'branch' : 'tag'} has this name`);
}
