/** Derives the role writable from methods that write and delete one object. */
import { withContext, ConflictError, throwIfAborted } from '../core/errors.js';
import { assertVersion } from './checks.js';
import { createKeyLock } from './locks.js';
import { assertKey, assertPrefix } from './keys.js';
import type {
  KeyStore, ReadResult, StagedFile, WithLock, WritableStore, WriteCondition,
} from './store.js'; // prettier-ignore

export interface WriteOptions {
  readonly condition: WriteCondition | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface WritingMethods {
  /**
   * Writes a whole object atomically. Without `conditions`, `bytes` is a copy that the store may keep; with
   * `conditions`, the caller may change `bytes` after the call.
   * @returns the version if the store has versions
   */
  set(
    key: string,
    bytes: Uint8Array,
    options: WriteOptions,
  ): Promise<{ version?: string } | void> | { version?: string } | void;
  /** Deletes an object; deleting an absent one is not an error. */
  delete(key: string, options: WriteOptions): Promise<void> | void;
  /** Deletes several objects unconditionally. @default calls `delete` for each */
  deleteMany?(keys: readonly string[], options: Pick<WriteOptions, 'signal'>): Promise<void>;
  /** Deletes everything below a prefix. @default deletes all objects that `walk` yields */
  deletePrefix?(prefix: string, options: Pick<WriteOptions, 'signal'>): Promise<void> | void;
  readonly withLock?: WithLock | undefined;
  /** Stages an object; see `WritableStore.stage`. */
  stage?(key: string, signal: AbortSignal | undefined): Promise<StagedFile | undefined>;
  /**
   * The scope in which `set` and `delete` enforce conditions.
   * @default the methods ignore conditions; this module enforces them within the process
   */
  readonly conditions?: 'process' | 'everyWriter';
}

type StoreParts = Pick<KeyStore, 'label' | 'getMany' | 'walk'>;

export function defineWriting(store: StoreParts, methods: WritingMethods): WritableStore {
  const { label } = store;
  const lock = createKeyLock();

  async function change<T>(key: string, options: WriteOptions, body: () => Promise<T> | T): Promise<T> {
    throwIfAborted(options.signal);
    const run = async (): Promise<T> => {
      if (methods.conditions === undefined) await assertCurrent(store, key, options);
      return body();
    };
    try {
      return await (methods.conditions === undefined ? lock.withLock(key, run) : run());
    } catch (error) {
      throw withContext(error, { store: label, key });
    }
  }

  const deleteAll: WritableStore['delete'] = async (keys, condition, options) => {
    for (const key of keys) assertKey(key);
    const signal = options?.signal;
    throwIfAborted(signal);
    if (methods.deleteMany !== undefined && condition === undefined) {
      try {
        if (keys.length > 0) await methods.deleteMany(keys, { signal });
      } catch (error) {
        throw withContext(error, { store: label });
      }
      return;
    }
    for (const key of keys) {
      const writeOptions = { condition, signal };
      await change(key, writeOptions, () => methods.delete(key, writeOptions));
    }
  };

  const stage: NonNullable<WritableStore['stage']> = async (key, options) => {
    assertKey(key);
    const context = { store: label, key };
    try {
      const staged = await methods.stage?.(key, options?.signal);
      if (staged === undefined) return undefined;
      return {
        ...staged,
        commit: (...parameters) =>
          staged.commit(...parameters).catch((error: unknown) => {
            throw withContext(error, context);
          }),
      };
    } catch (error) {
      throw withContext(error, context);
    }
  };

  return {
    async set(key, bytes, condition, options) {
      assertKey(key);
      const writeOptions = { condition, signal: options?.signal };
      const content = methods.conditions === undefined ? new Uint8Array(bytes) : bytes;
      return (await change(key, writeOptions, () => methods.set(key, content, writeOptions))) ?? {};
    },
    delete: deleteAll,
    async deletePrefix(prefix, options) {
      assertPrefix(prefix);
      throwIfAborted(options?.signal);
      if (methods.deletePrefix === undefined) {
        await deleteWalked(store, prefix, deleteAll, options?.signal);
        return;
      }
      try {
        await methods.deletePrefix(prefix, { signal: options?.signal });
      } catch (error) {
        throw withContext(error, { store: label });
      }
    },
    ...(methods.withLock === undefined ? {} : { withLock: methods.withLock }),
    ...(methods.stage === undefined ? {} : { stage }),
  };
}

/** @throws ConflictError if the condition is not met; an object without a version never matches */
async function assertCurrent(
  { getMany }: StoreParts,
  key: string,
  { condition, signal }: WriteOptions,
): Promise<void> {
  const { ifMatch, ifAbsent } = condition ?? {};
  if (ifMatch === undefined && ifAbsent !== true) return;
  let current: ReadResult;
  await getMany(
    [{ key, range: { offset: 0, length: 0 } }],
    (_, result) => {
      current = result;
    },
    { signal, fresh: true },
  );
  assertVersion(typeof current === 'object' ? current.version : undefined, ifMatch);
  if (ifAbsent === true && current !== undefined)
    throw new ConflictError('an object with that key already exists');
}

/** Collects all keys first, because a walk may skip objects if others are deleted meanwhile. */
async function deleteWalked(
  { walk }: StoreParts,
  prefix: string,
  deleteAll: WritableStore['delete'],
  signal: AbortSignal | undefined,
): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of walk(prefix, { signal })) keys.push(key);
  await deleteAll(keys, undefined, { signal });
}
