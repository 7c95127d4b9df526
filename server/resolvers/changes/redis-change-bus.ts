/**
 * A bus for all replicas of a gateway. Messages are checked as strictly as if a stranger had written them: the most that
 * they can cause is an event, which subscribers receive if they may read the node, and that caches are compared with the
 * store.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isList, isRecord } from '../../../wire/guards.js';
import type { RedisConnection } from '../../redis/connection.js';
import { createSharedLog, type LogMessage, MAX_MESSAGE_LENGTH } from '../../redis/shared-log.js';
import { isZarrError, parseNodePath, type StoredChange, type StoredCommit } from '../../zarr/index.js';
import { type ChangeBus, createListeners, type DeliveredChange, type StoreChange } from './change-bus.js';

/** Time that a change of another replica may take, in ms. */
const DELAY_MS = 1000;
const MAX_DIMENSIONS = 64;
const MAX_NAME = 256;

/** Waits at most `waitMs` for Redis. */
export async function createRedisChangeBus(redis: RedisConnection, waitMs: number): Promise<ChangeBus> {
  const { deliver, missed, recent, subscribe, close } = createListeners();
  const malformed = (): void => redis.metrics?.ignored('change');

  function changeOf({ id, payload, isOwn }: LogMessage): DeliveredChange | undefined {
    const change = parseChange(payload);
    if (change === undefined) malformed();
    return change && { ...change, id, isForeign: !isOwn };
  }

  const log = createSharedLog(redis, 'changes', {
    received(message) {
      const change = changeOf(message);
      if (change !== undefined) deliver(change);
    },
    restored(messages) {
      recent.clear();
      for (const message of messages) {
        const change = changeOf(message);
        if (change !== undefined) recent.add(change);
      }
    },
    missed,
    malformed,
  });
  await Promise.race([log.isReady, wait(waitMs, undefined, { ref: false })]);
  return {
    publish: (change, found) => log.publish(printChange(change), found),
    settled: () => log.settled(),
    recent,
    delayMs: DELAY_MS,
    subscribe,
    close() {
      log.close();
      close();
    },
  };
}

export function printChange({ store, kind, path, region, commit }: StoreChange): string {
  const ranges = region?.map(({ start, stop }) => [start, stop]);
  const text = JSON.stringify({ store, kind, path, region: ranges, commit });
  // A path this long is reported as its store.
  return text.length <= MAX_MESSAGE_LENGTH ? text : JSON.stringify({ store, kind: 'updated', path: '/' });
}

const kinds: Readonly<Record<StoredChange['kind'], true>> = {
  created: true,
  updated: true,
  data: true,
  resized: true,
  deleted: true,
};

function isKind(kind: unknown): kind is StoredChange['kind'] {
  return typeof kind === 'string' && Object.hasOwn(kinds, kind);
}

const properties = new Set(['store', 'kind', 'path', 'region', 'commit']);

/** @returns undefined for a text that `printChange` cannot have written */
export function parseChange(text: string): StoreChange | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || Object.keys(value).some((name) => !properties.has(name))) return undefined;
  const { store, kind, path, region, commit } = value;
  if (typeof store !== 'string' || store === '' || store.length > MAX_NAME) return undefined;
  if (!isKind(kind) || typeof path !== 'string' || !isNodePath(path)) return undefined;
  const ranges = region === undefined ? undefined : regionIn(region);
  const made = commit === undefined ? undefined : commitIn(commit);
  if ((ranges === undefined) !== (region === undefined) || (made === undefined) !== (commit === undefined))
    return undefined;
  return {
    store,
    kind,
    path,
    ...(ranges === undefined ? {} : { region: ranges }),
    ...(made === undefined ? {} : { commit: made }),
  };
}

function isNodePath(path: string): boolean {
  try {
    return parseNodePath(path) === path;
  } catch (error) {
    if (isZarrError(error)) return false;
    throw error;
  }
}

function regionIn(region: unknown): StoredChange['region'] {
  if (!isList(region) || region.length > MAX_DIMENSIONS) return undefined;
  const ranges = region.flatMap((range) => {
    const [start, stop, ...more] = isList(range) ? range : [];
    const isRange = isIndex(start) && isIndex(stop) && start <= stop && more.length === 0;
    return isRange ? [{ start, stop }] : [];
  });
  return ranges.length === region.length ? ranges : undefined;
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && typeof value === 'number' && value >= 0;
}

const snapshotId = /^[0-9A-Z]{1,64}$/;

function commitIn(commit: unknown): StoredCommit | undefined {
  if (!isRecord(commit) || Object.keys(commit).length !== 2) return undefined;
  const { snapshot, parent } = commit;
  const isCommit =
    typeof snapshot === 'string' &&
    typeof parent === 'string' &&
    snapshotId.test(snapshot) &&
    snapshotId.test(parent);
  return isCommit ? { snapshot, parent } : undefined;
}
