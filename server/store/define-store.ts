/**
 * Creates a store from a few methods. Adds everything else: validation of keys and ranges, versions,
 * limits, cancellation, the location in errors, bounded concurrency, and errors for missing roles.
 */
import { ReadOnlyError, UnsupportedError } from '../core/errors.js';
import { defineListing, type ListingMethods } from './define-listing.js';
import { defineReading, type ReadingMethods } from './define-reading.js';
import { defineWriting, type WritingMethods } from './define-writing.js';
import { assertPrefix } from './keys.js';
import type { KeyStore, ListableStore, Locate, StoreFacts, WritableStore } from './store.js';

/**
 * The methods of a store, by role. Only reading is required: `get`, or `getMany` for stores that schedule
 * requests themselves.
 */
export type StoreDefinition = (ReadingMethods | Pick<KeyStore, 'getMany'>) &
  Partial<StoreFacts> & {
    /** Configured name of the store, which users may see. */
    readonly label: string;
    /** Makes the store listable. */
    readonly listing?: ListingMethods | undefined;
    /** Makes the store writable. */
    readonly writing?: WritingMethods | undefined;
    /**
     * Message of the error for a store without `listing`. It states why the store cannot list, and what to do
     * instead.
     */
    readonly unlistableReason?: string;
    /** Abilities of the store; see `StoreAbilities`. */
    readonly verifiesObjects?: boolean;
    readonly prefersParts?: boolean;
    /** Returns the file that contains an object. For stores whose objects are parts of local files. */
    readonly locate?: Locate<string> | undefined;
    /** See `Store.locates`. */
    readonly locates?: ((path: string) => boolean) | undefined;
    /** Called by `close` of the store. */
    close?(): Promise<void> | void;
  };

const defaultFacts: StoreFacts = {
  kind: 'CUSTOM',
  isLocal: false,
  isDurable: true,
  maxVersionChecks: 64,
  readOnlyReason: undefined,
};

/**
 * @example
 * const files = new Map([['zarr.json', metadata]]);
 * const store = defineStore({ label: 'example', get: (key) => files.get(key) });
 */
export function defineStore(definition: StoreDefinition): KeyStore {
  const { label, listing, writing, locate, locates } = definition;
  const facts: StoreFacts = {
    kind: definition.kind ?? defaultFacts.kind,
    isLocal: definition.isLocal ?? defaultFacts.isLocal,
    isDurable: definition.isDurable ?? defaultFacts.isDurable,
    maxVersionChecks: definition.maxVersionChecks ?? defaultFacts.maxVersionChecks,
    readOnlyReason: definition.readOnlyReason,
  };
  const hasRanges = 'getMany' in definition || definition.getRange !== undefined;
  const getMany: KeyStore['getMany'] =
    'getMany' in definition ? definition.getMany.bind(definition) : defineReading(label, definition);
  const listable = listing === undefined ? unlistable(definition) : defineListing(label, listing);
  const writable =
    writing === undefined
      ? readOnly(label, facts.readOnlyReason)
      : defineWriting({ label, getMany, walk: (prefix, options) => listable.walk(prefix, options) }, writing);
  return {
    ...facts,
    label,
    can: {
      range: hasRanges,
      suffix: hasRanges,
      list: listing !== undefined,
      write: writing !== undefined,
      conditionalWrite: writing?.conditions === 'everyWriter',
      ...(definition.verifiesObjects === undefined ? {} : { verifiesObjects: definition.verifiesObjects }),
      ...(definition.prefersParts === undefined ? {} : { prefersParts: definition.prefersParts }),
    },
    describe: (key) => key,
    getMany,
    ...listable,
    ...writable,
    ...(locate === undefined ? {} : { locate }),
    ...(locates === undefined ? {} : { locates }),
    async close() {
      await definition.close?.();
    },
  };
}

function unlistable({ label, unlistableReason }: StoreDefinition): ListableStore {
  const reason =
    unlistableReason ??
    'the store does not support listing; without consolidated metadata, request a node by its path';
  const refuse = (prefix: string): never => {
    assertPrefix(prefix);
    throw new UnsupportedError(reason, { where: { store: label } });
  };
  return { list: async (prefix) => refuse(prefix), walk: refuse };
}

function readOnly(label: string, reason: string | undefined): WritableStore {
  const refuse = (): never => {
    throw new ReadOnlyError(
      reason === undefined ? 'the store is read-only' : `the store is read-only: ${reason}`,
      {
        where: { store: label },
      },
    );
  };
  return { set: async () => refuse(), delete: async () => refuse(), deletePrefix: async () => refuse() };
}
