/**
 * Runs edits of stored objects, several concurrently, each under the lock of its key. Edits that depend on
 * the old bytes are conditional on their version. Each object is written atomically, but not several
 * objects together.
 */
import { ZarrError, withContext, throwIfAborted, type WriteReport } from '../../core/errors.js';
import { unchangedSince } from '../../store/checks.js';
import { get, getRange } from '../../store/define-reading.js';
import type { KeyStore } from '../../store/store.js';
import type { Pause } from '../../core/turns.js';
import { createEditTally, type Edit, type EditResources, type EditTally } from './edit.js';
import { retryConflicts } from './retry-conflicts.js';
import { withLock } from './locks.js';

export interface EditSettings {
  readonly signal?: AbortSignal | undefined;
  /** Called before each object. */
  readonly pause: Pause;
  /** Maximum stored size, in bytes, of one object that is read into memory. */
  readonly maxStoredBytes: number;
  /** Approximate decoded size of one object in bytes. Determines the number of concurrent edits. */
  readonly objectBytes: number;
  /**
   * Throws if the lock was lost. Set for writes under a lock that can be lost. Every write is then
   * conditional, so that changes of the next lock holder are not overwritten.
   */
  readonly assertHeld?: (() => void) | undefined;
}

export interface ObjectEdit {
  readonly key: string;
  readonly edit: Edit;
}

/** Maximum number of concurrent edits. */
const MAX_OBJECTS = 8;
/** Maximum memory of concurrent edits in bytes. At least one object is edited at a time. */
const MAX_WORKING_BYTES = 2 ** 28;

/**
 * @param edits edits with distinct keys, which are taken one at a time
 * @throws the first failure, once all edits in flight have ended; its `written` reports the completed part
 */
export async function runEdits(
  store: KeyStore,
  edits: Iterable<ObjectEdit> | AsyncIterable<ObjectEdit>,
  settings: EditSettings,
): Promise<WriteReport> {
  const report = { chunksWritten: 0, chunksDeleted: 0, bytesWritten: 0 };
  const source = iterate(edits);
  let failure: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    while (failure === undefined) {
      try {
        const next = await source.next();
        if (next.done === true) return;
        await settings.pause();
        const done = await runEdit(store, next.value, settings);
        report.chunksWritten += done.tally.written;
        report.chunksDeleted += done.tally.deleted;
        report.bytesWritten += done.bytes;
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  const atOnce = Math.floor(MAX_WORKING_BYTES / Math.max(1, 2 * settings.objectBytes));
  await Promise.all(Array.from({ length: Math.min(MAX_OBJECTS, Math.max(1, atOnce)) }, work));
  if (failure === undefined) return report;
  const { error } = failure;
  throw error instanceof ZarrError ? error.afterWriting(report) : error;
}

/** Shares one source among several consumers, one item at a time. */
function iterate(edits: Iterable<ObjectEdit> | AsyncIterable<ObjectEdit>): {
  next(): Promise<IteratorResult<ObjectEdit>>;
} {
  if (Symbol.asyncIterator in edits) return edits[Symbol.asyncIterator]();
  const iterator = edits[Symbol.iterator]();
  return { next: async () => iterator.next() };
}

interface Done {
  readonly tally: EditTally;
  readonly bytes: number;
}

async function runEdit(store: KeyStore, { key, edit }: ObjectEdit, settings: EditSettings): Promise<Done> {
  try {
    return await withLock(
      store,
      key,
      () => retryConflicts(settings.signal, (tried) => attempt(store, key, edit, settings, tried)),
      { signal: settings.signal, isGuarded: true },
    );
  } catch (error) {
    throw withContext(error, { key });
  }
}

async function attempt(
  store: KeyStore,
  key: string,
  edit: Edit,
  settings: EditSettings,
  tried: number,
): Promise<Done> {
  throwIfAborted(settings.signal);
  const releases: (() => void)[] = [];
  const resources: EditResources = {
    stage:
      store.stage === undefined ? undefined : async () => store.stage?.(key, { signal: settings.signal }),
    defer: (release) => void releases.push(release),
  };
  try {
    return await attemptWith(store, key, edit, settings, tried, resources);
  } finally {
    for (const release of releases) release();
  }
}

async function attemptWith(
  store: KeyStore,
  key: string,
  edit: Edit,
  settings: EditSettings,
  tried: number,
  resources: EditResources,
): Promise<Done> {
  const { signal, maxStoredBytes, assertHeld } = settings;
  const read = { signal, maxBytes: maxStoredBytes, fresh: true };
  let tally = createEditTally();
  const look = () => getRange(store, key, { offset: 0, length: 1 }, read);
  let old = edit.needsOld ? await get(store, key, read) : undefined;
  let isStored = old !== undefined;
  // For objects that are usually absent, the version is read only after the conditional write has failed.
  let seen = edit.needsOld ? old : assertHeld !== undefined && tried > 1 ? await look() : undefined;
  let next = await edit.run(old?.bytes, tally, resources);
  // Chunks that are left out may have been stored before. If the object exists, they are deleted and counted.
  if (!edit.needsOld && tally.leftOut > 0) {
    seen = await look();
    isStored = seen !== undefined;
    if (isStored && next === undefined && tally.leftOut === 1) tally.deleted = 1;
    else if (isStored) {
      old = await get(store, key, read);
      seen = old;
      tally = createEditTally();
      next = await edit.run(old?.bytes, tally, resources);
    }
  }
  try {
    throwIfAborted(signal);
    assertHeld?.();
  } catch (error) {
    if (next !== undefined && 'file' in next) await next.file.discard();
    throw error;
  }
  const isConditional = edit.needsOld || old !== undefined || assertHeld !== undefined;
  const condition = store.can.conditionalWrite && isConditional ? unchangedSince(seen) : undefined;
  if (next === undefined) {
    if (isStored) await store.delete([key], condition, { signal });
    return { tally, bytes: 0 };
  }
  if (next === old?.bytes) return { tally, bytes: 0 };
  if ('file' in next) await next.file.commit(next.length, condition, { signal });
  else await store.set(key, next, condition, { signal });
  return { tally, bytes: next.length };
}
