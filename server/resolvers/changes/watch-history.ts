/**
 * Finds commits that others make to a store with a history, while the store has subscribers: compares the snapshot of its
 * branch, and turns the difference into the changes that writes through the gateway publish.
 */
import { setTimeout } from 'node:timers/promises';
import type { SnapshotDiff, StoredChange, StoredCommit } from '../../zarr/index.js';
import type { StoreHistory, StoreModel } from '../models.js';
import { regionOf } from '../nodes/chunk-region.js';

export interface WatchOptions {
  /** Time between two comparisons. */
  readonly watchMs: number;
  /** @param found identifies a change that other replicas may find, too */
  readonly publish: (change: StoredChange & { readonly commit?: StoredCommit }, found?: string) => void;
  /** Time, in ms, that changes of other replicas may take to arrive. @default 0 */
  readonly delayMs?: number | undefined;
  /** Receives why changes may have been missed. */
  readonly warn: (problem: string, error: unknown) => void;
}

/** Maximum number of changes of one commit that are reported in detail; otherwise, the root is reported as updated. */
const MAX_CHANGES = 500;
const everything: StoredChange = { kind: 'updated', path: '/' };

/** The changes of one commit, or one change of the root in place of too many. */
export function summarised(changes: readonly StoredChange[]): readonly StoredChange[] {
  return changes.length > MAX_CHANGES ? [everything] : changes;
}

export class HistoryWatcher {
  readonly #store: StoreModel;
  readonly #options: WatchOptions;
  #subscribers = 0;
  /** Ends the watch of the present subscribers. */
  #watch = new AbortController();
  /** The snapshot whose changes were published, or with which the watch began. */
  #seen: string | undefined;
  /** Whether the watch began with this snapshot. */
  #isFirst = true;
  /** Comparisons and commits follow each other, so that no change is published twice. */
  #turn: Promise<void> = Promise.resolve();

  constructor(store: StoreModel, options: WatchOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Watches the whole store until the returned function is called. */
  start(_path: string): () => void {
    this.#subscribers += 1;
    if (this.#subscribers === 1) {
      this.#watch = new AbortController();
      this.#seen = undefined;
      this.#compareUntil(this.#watch.signal).catch((error: unknown) =>
        this.#options.warn('a store is no longer watched', error),
      );
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#subscribers -= 1;
      if (this.#subscribers === 0) this.#watch.abort();
    };
  }

  /** Publishes a commit through the gateway, whose changes are known, unless a comparison has published it. */
  async committed(commit: StoredCommit, changes: readonly StoredChange[]): Promise<void> {
    await this.#afterOthers(async () => {
      if (this.#seen === commit.snapshot && !this.#isFirst && this.#subscribers > 0) return;
      await this.#moveTo(commit);
      for (const change of summarised(changes)) this.#options.publish({ ...change, commit });
    });
  }

  /** Receives a commit that another replica has published. */
  async committedElsewhere(commit: StoredCommit): Promise<void> {
    if (this.#seen !== commit.snapshot) await this.#afterOthers(() => this.#moveTo(commit));
  }

  /** Publishes what others committed before a commit whose changes are known. */
  async #moveTo({ snapshot, parent }: StoredCommit): Promise<void> {
    const { history } = this.#store;
    const seen = this.#seen;
    const ended = this.#watch.signal;
    if (this.#subscribers === 0 || seen === undefined || history === undefined) return;
    if (seen !== snapshot && seen !== parent) {
      const changes = await this.#changesBetween(history, seen, parent);
      if (ended.aborted) return;
      for (const change of changes) this.#publishFound(change, seen, parent);
    }
    this.#seen = snapshot;
    this.#isFirst = false;
  }

  #publishFound(change: StoredChange, before: string, now: string): void {
    this.#options.publish(change, JSON.stringify([this.#store.name, before, now, change.kind, change.path]));
  }

  #afterOthers(body: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(body).catch((error: unknown) => {
      this.#options.warn('a store cannot be compared with its last state', error);
    });
    return this.#turn;
  }

  async #compareUntil(ended: AbortSignal): Promise<void> {
    const { watchMs, delayMs = 0 } = this.#options;
    while (!ended.aborted) {
      if (delayMs > 0) await this.#waitForOthers(delayMs, ended);
      await this.#afterOthers(() => this.#publishSince(ended));
      // The wait rejects if the watch ends.
      await setTimeout(watchMs, undefined, { ref: false, signal: ended }).catch(() => {});
    }
  }

  /** A commit of another replica arrives as a change, after which there is nothing to publish. */
  async #waitForOthers(delayMs: number, ended: AbortSignal): Promise<void> {
    const now = await this.#store.history?.resolve(undefined, { fresh: true }).catch(() => undefined);
    if (now !== this.#seen && this.#seen !== undefined)
      await setTimeout(delayMs, undefined, { ref: false, signal: ended }).catch(() => {});
  }

  /** Publishes the commits up to the snapshot of the branch. */
  async #publishSince(ended: AbortSignal): Promise<void> {
    const { history } = this.#store;
    const seen = this.#seen;
    if (history === undefined || ended.aborted) return;
    const now = await history.resolve(undefined, { fresh: true });
    if (seen === now) return;
    const changes = seen === undefined ? [] : await this.#changesBetween(history, seen, now);
    // Another watch may have begun meanwhile.
    if (ended.aborted) return;
    this.#seen = now;
    this.#isFirst = seen === undefined;
    if (seen !== undefined) for (const change of changes) this.#publishFound(change, seen, now);
  }

  async #changesBetween(
    history: StoreHistory,
    before: string,
    now: string,
  ): Promise<readonly StoredChange[]> {
    try {
      const diff = await history.diff(before, now);
      if (countOf(diff) > MAX_CHANGES) return [everything];
      return await changesOf(diff, history.at(before), history.at(now));
    } catch (error) {
      // For example, the branch was reset to a snapshot that is not a descendant.
      this.#options.warn(
        'the changes of a commit are unknown; subscribers are told that the root changed',
        error,
      );
      return [everything];
    }
  }
}

function countOf(diff: SnapshotDiff): number {
  const { newGroups, newArrays, deletedGroups, deletedArrays, updatedGroups, updatedArrays } = diff;
  const nodes = [newGroups, newArrays, deletedGroups, deletedArrays, updatedGroups, updatedArrays];
  const moved = 2 * diff.movedNodes.length;
  return nodes.reduce((sum, { length }) => sum + length, diff.updatedChunks.length + moved);
}

/** Deletions first, then new nodes from the top down, then changed ones. */
async function changesOf(
  diff: SnapshotDiff,
  before: StoreModel,
  now: StoreModel,
): Promise<readonly StoredChange[]> {
  const moved = diff.movedNodes;
  const deleted = topmost([...diff.deletedGroups, ...diff.deletedArrays, ...moved.map(({ from }) => from)]);
  const created = [...diff.newGroups, ...diff.newArrays, ...moved.map(({ to }) => to)].toSorted();
  const resized = await resizedArrays(diff.updatedArrays, before, now);
  const isNew = new Set(created);
  const data = diff.updatedChunks.filter(({ path }) => !isNew.has(path));
  return [
    ...deleted.map((path): StoredChange => ({ kind: 'deleted', path })),
    ...created.map((path): StoredChange => ({ kind: 'created', path })),
    ...[...diff.updatedGroups, ...diff.updatedArrays].map((path): StoredChange => ({
      kind: resized.has(path) ? 'resized' : 'updated',
      path,
    })),
    ...(await Promise.all(
      data.map(async ({ path, first, last }): Promise<StoredChange> => {
        const region = await regionOf(now, path, first, last);
        return region === undefined ? { kind: 'data', path } : { kind: 'data', path, region };
      }),
    )),
  ];
}

/** A deleted group includes the nodes below it. */
function topmost(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  const hasDeletedParent = (path: string): boolean => {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      if (all.has(path.slice(0, at))) return true;
    return false;
  };
  return [...all].filter((path) => !hasDeletedParent(path)).toSorted();
}

async function resizedArrays(
  paths: readonly string[],
  before: StoreModel,
  now: StoreModel,
): Promise<ReadonlySet<string>> {
  const shapes = async (path: string) =>
    Promise.all([before, now].map(async ({ hierarchy }) => (await hierarchy.array(path)).meta.shape.join()));
  const resized = await Promise.all(
    paths.map(async (path) => {
      const [old, current] = await shapes(path);
      return old === current ? [] : [path];
    }),
  );
  return new Set(resized.flat());
}
