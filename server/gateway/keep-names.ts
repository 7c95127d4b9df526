/**
 * Keeps the names of the nodes of a store current for searches, by listings in the background. Of several replicas, one
 * lists, and the others take its names from Redis.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { NameListing, SharedNames } from '../redis/shared-names.js';
import type { Hierarchy, StoredChange } from '../zarr/index.js';

export interface KeepNamesOptions {
  /** Least time between two listings, which take at most a tenth of the time. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** @param isShared whether another replica has listed them */
  readonly listed: (nodes: number, heldBytes: number, milliseconds: number, isShared: boolean) => void;
  readonly failed: (error: unknown) => void;
  /** What replicas share. @default this process lists */
  readonly shared?: NamesOfReplicas | undefined;
}

export interface NamesOfReplicas {
  readonly names: SharedNames;
  /** The id of the last change that this replica knows. */
  lastChange(): string | undefined;
  /** The changes of the store after another one, or all if none was known; undefined if some may be missing. */
  readonly changesAfter: (id: string | undefined) => readonly StoredChange[] | undefined;
}

/** Share of the time in which nothing is listed, as a multiple of a listing. */
const REST = 9;
/** Time after which a replica looks again whether another one has listed. */
const LOOK_MS = 2000;
/** Renews the claim of the replica that lists. */
const CLAIM_MS = 10_000;
/** The time of the next listing in Redis is not trusted beyond this. */
const MAX_REST_MS = 7 * 86_400_000;

/** Runs until the signal fires. @returns a function that begins the next listing at once */
export function keepNames(
  hierarchy: Pick<Hierarchy, 'listNames' | 'adoptNames' | 'expectNames'>,
  { intervalMs, signal, listed, failed, shared }: KeepNamesOptions,
): () => void {
  let waiting = new AbortController();
  /** Whether changes may have been missed. */
  let isOutdated = false;
  /** The listing of the current names, and the time from which listings have all changes. */
  let [heldMs, neededMs] = [-1, 0];

  async function rest(ms: number): Promise<void> {
    const stop = AbortSignal.any([signal, waiting.signal]);
    await wait(ms, undefined, { ref: false, signal: stop }).catch(() => {});
  }

  /** Takes the names of another replica. @returns how long they are current, in ms; undefined if this replica is to list */
  async function adopt({ names, changesAfter }: NamesOfReplicas, nowMs: number): Promise<number | undefined> {
    const latest = await names.latest();
    if (latest !== undefined && latest.listedAtMs >= neededMs && latest.nextAtMs > nowMs) {
      const restMs = Math.min(latest.nextAtMs - nowMs, MAX_REST_MS);
      if (latest.listedAtMs === heldMs || (await take(latest, names, changesAfter))) {
        heldMs = latest.listedAtMs;
        return restMs;
      }
    }
    return (await names.claim()) ? undefined : LOOK_MS;
  }

  async function take(
    listing: NameListing,
    names: SharedNames,
    changesAfter: NamesOfReplicas['changesAfter'],
  ): Promise<boolean> {
    const started = performance.now();
    const blocks = await names.read(listing);
    const later = changesAfter(listing.lastChange);
    if (blocks === undefined || later === undefined) return false;
    try {
      const { size, heldBytes } = await hierarchy.adoptNames(
        blocks,
        () => changesAfter(listing.lastChange) ?? later,
      );
      listed(size, heldBytes, performance.now() - started, true);
      return true;
    } catch {
      // Another program has written them.
      return false;
    }
  }

  /** @param nowMs the time of Redis; undefined while it is unavailable */
  async function list(nowMs: number | undefined): Promise<number> {
    const started = performance.now();
    const lastChange = shared?.lastChange();
    const claiming = shared === undefined ? undefined : setInterval(() => void shared.names.claim().catch(failed), CLAIM_MS); // prettier-ignore
    try {
      const names = await hierarchy.listNames({ signal });
      const tookMs = performance.now() - started;
      listed(names.size, names.heldBytes, tookMs, false);
      const restMs = Math.max(intervalMs, REST * tookMs);
      if (shared !== undefined && nowMs !== undefined) {
        heldMs = nowMs;
        const listing = { listedAtMs: nowMs, nextAtMs: Math.ceil(nowMs + tookMs + restMs), lastChange };
        await shared.names.publish(listing, names.entries(), Math.min(Math.ceil(2 * restMs), MAX_REST_MS));
      }
      return restMs;
    } finally {
      clearInterval(claiming);
      await shared?.names.release();
    }
  }

  async function run(): Promise<void> {
    hierarchy.expectNames(true);
    while (!signal.aborted) {
      const started = performance.now();
      waiting = new AbortController();
      try {
        const nowMs = await shared?.names.now();
        if (isOutdated) [isOutdated, neededMs, heldMs] = [false, nowMs ?? neededMs, -1];
        const restMs = shared === undefined || nowMs === undefined ? undefined : await adopt(shared, nowMs);
        await rest(restMs ?? (await list(nowMs)));
      } catch (error) {
        if (signal.aborted) return;
        hierarchy.expectNames(false);
        failed(error);
        await rest(Math.max(intervalMs, REST * (performance.now() - started)));
      }
    }
  }

  run().catch(failed);
  return () => {
    isOutdated = true;
    waiting.abort();
  };
}
