/**
 * Finds changes that others make to a store without a history, while it has subscribers: compares the versions of the
 * documents of the subscribed nodes. It cannot see changed values, nor changes of nodes below a subscribed group unless
 * these change the document of the group, as consolidated metadata do.
 */
import { setTimeout } from 'node:timers/promises';
import type { Hierarchy, StoredChange } from '../../zarr/index.js';
import type { ChangeBus } from './change-bus.js';
import { isAtOrBelow } from './change-feed.js';
import type { WatchOptions } from './watch-history.js';

export interface DocumentWatchOptions extends WatchOptions {
  readonly store: string;
  readonly hierarchy: Hierarchy;
  /** Changes through this gateway and others, which are not published again. */
  readonly bus: ChangeBus;
}

/** A node at one time; undefined if there is none. */
type State = { readonly version: string; readonly shape: string } | undefined;

interface Watched {
  subscribers: number;
  /** Whether `state` is known. */
  isKnown: boolean;
  state: State;
  /** Whether the last comparison failed, which was reported. */
  hasFailed: boolean;
}

/** Number of nodes that are compared together. */
const TOGETHER = 8;
const MAX_OWN = 1000;

export class DocumentWatcher {
  readonly #options: DocumentWatchOptions;
  /** By path. The nodes that were not compared for the longest time are first. */
  readonly #watched = new Map<string, Watched>();
  #ended = new AbortController();
  /** Changes that this watcher has published, until the bus delivers them. */
  readonly #own: StoredChange[] = [];
  /** Whether it was reported that the store has no versions. */
  #hasWarned = false;

  constructor(options: DocumentWatchOptions) {
    this.#options = options;
  }

  /** Watches a node until the returned function is called. */
  start(path: string): () => void {
    const isFirst = this.#watched.size === 0;
    const watched = this.#watched.get(path) ?? {
      subscribers: 0,
      isKnown: false,
      state: undefined,
      hasFailed: false,
    };
    watched.subscribers += 1;
    this.#watched.set(path, watched);
    if (isFirst) {
      this.#ended = new AbortController();
      this.#compareUntil(this.#ended.signal).catch((error: unknown) =>
        this.#options.warn('a store is no longer watched', error),
      );
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      watched.subscribers -= 1;
      if (watched.subscribers === 0) this.#watched.delete(path);
      if (this.#watched.size === 0) this.#ended.abort();
    };
  }

  async #compareUntil(ended: AbortSignal): Promise<void> {
    const { bus, store, watchMs } = this.#options;
    const unsubscribe = bus.subscribe({
      changed: (change) => {
        if (change.store !== store) return;
        const own = this.#own.findIndex(({ kind, path }) => kind === change.kind && path === change.path);
        if (own < 0) this.#forget(change.path);
        else this.#own.splice(own, 1);
      },
      closed: () => {},
    });
    try {
      while (!ended.aborted) {
        await this.#compareSome(ended);
        // The wait rejects if the watch ends.
        await setTimeout(watchMs, undefined, { ref: false, signal: ended }).catch(() => {});
      }
    } finally {
      unsubscribe();
    }
  }

  /** A known change also changes the documents of groups above it, if they contain consolidated metadata. */
  #forget(path: string): void {
    for (const [other, watched] of this.#watched)
      if (isAtOrBelow(path, other) || isAtOrBelow(other, path)) watched.isKnown = false;
  }

  async #compareSome(ended: AbortSignal): Promise<void> {
    const paths = [...this.#watched.keys()].slice(0, this.#options.hierarchy.store.maxVersionChecks);
    for (let start = 0; start < paths.length && !ended.aborted; start += TOGETHER)
      await Promise.all(paths.slice(start, start + TOGETHER).map((path) => this.#compare(path, ended)));
  }

  async #compare(path: string, ended: AbortSignal): Promise<void> {
    const watched = this.#watched.get(path);
    if (watched === undefined) return;
    this.#watched.delete(path);
    this.#watched.set(path, watched);
    const { isKnown, state: before } = watched;
    watched.isKnown = true;
    try {
      const now = await this.#stateOf(path, before, ended);
      // A change that became known meanwhile is in the new state, or in the next one.
      const isCurrent = watched.isKnown && !ended.aborted && this.#watched.get(path) === watched;
      watched.state = now;
      watched.hasFailed = false;
      if (!isKnown || !isCurrent || now?.version === before?.version) return;
      const { delayMs = 0 } = this.#options.bus;
      // Another replica may have made the change and be about to say so.
      if (delayMs > 0) await setTimeout(delayMs, undefined, { ref: false, signal: ended }).catch(() => {});
      if (watched.isKnown && !ended.aborted) this.#publish(path, before, now);
    } catch (error) {
      watched.isKnown = isKnown && watched.isKnown;
      if (ended.aborted || watched.hasFailed) return;
      watched.hasFailed = true;
      this.#options.warn('a node cannot be compared with its last state', error);
    }
  }

  async #stateOf(path: string, before: State, signal: AbortSignal): Promise<State> {
    const { hierarchy, warn } = this.#options;
    const version = await hierarchy.versionOf(path, { signal });
    if (version !== undefined && version === before?.version) return before;
    const node = await hierarchy.node(path, { signal });
    if (node === undefined) return undefined;
    if (version === undefined && !this.#hasWarned) {
      this.#hasWarned = true;
      warn(
        'the store has no versions of its documents: subscribers do not see the changes of others',
        undefined,
      );
    }
    return { version: version ?? '', shape: node.kind === 'array' ? node.meta.shape.join() : '' };
  }

  #publish(path: string, before: State, now: State): void {
    const kind =
      now === undefined
        ? 'deleted'
        : before === undefined
          ? 'created'
          : before.shape === now.shape
            ? 'updated'
            : 'resized';
    const change: StoredChange = { kind, path };
    this.#own.push(change);
    if (this.#own.length > MAX_OWN) this.#own.shift();
    this.#options.publish(change, JSON.stringify([this.#options.store, path, kind, now?.version]));
  }
}
