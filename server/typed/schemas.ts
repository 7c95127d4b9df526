/**
 * The schemas of all stores, by store and caller. A schema is built on first use, and checked in the background from
 * then on: the store's nodes are read again, and an equal model keeps its schema. Callers who see the same nodes and may
 * write the same arrays share one schema.
 */
import { createHash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { isInputObjectType, isObjectType } from 'graphql';
import { LRUCache } from 'lru-cache';
import { BusyError } from '../memory/busy-error.js';
import { IN_PROCESS, type MemoryBudget, type RequestMemory } from '../memory/budget.js';
import type { CallerRights, Permission } from '../resolvers/access/caller-rights.js';
import type { StoreModel } from '../resolvers/models.js';
import { parsePathPattern } from '../resolvers/nodes/path-pattern.js';
import { inTurns, isZarrError, type KeyStore, StoreUnavailableError, ZarrError } from '../zarr/index.js';
import { buildSchema, MAX_SCHEMA_FIELDS, shownModel, type TypedSchemaOptions } from './build-schema.js';
import type { GroupFacts, TypedStoreFacts } from './facts.js';
import { MAX_HINTED_ARRAYS, sizesText } from './hints.js';
import { readModel } from './read-model.js';
import { writableArrays } from './write-types.js';

/** Nodes that are read for a schema, as a multiple of its fields: members of families take few fields. */
const NODES_PER_FIELD = 20;
/** Memory of a model for each character of its JSON text, in bytes. */
const BYTES_PER_CHARACTER = 4;
/** Memory for models, as a share of that for schemas. A model that was removed is read again when its caller returns. */
const MODEL_SHARE = 1 / 4;
/** Default of `schemaMaxAgeMs`. */
export const SCHEMA_MAX_AGE_MS = 10_000;
/** Maximum time of one check. */
const CHECK_MS = 60_000;
/** Memory of a field or argument of a schema, in bytes (measured: 190 to 380). */
const FIELD_BYTES = 350;
/** Memory of the sizes of an array, in bytes. */
const SIZES_BYTES = 150;
/** Memory of a schema while it is built, as a multiple of that of its model. */
const SCHEMA_FACTOR = 4;
/** A document that fails validation waits for a check unless the last one is younger. */
const MIN_CHECK_AGE_MS = 1000;
/** Omitted nodes that a warning names. */
const MAX_PROBLEMS = 5;
/** Such a document waits no longer if there is a schema: the store may not answer. */
const MAX_WAIT_MS = 2000;

/** The client for which a model is read and a schema is built. Other callers who wait for the same are not charged. */
export interface SchemaClient {
  /** Whose memory is used. @default requests without HTTP */
  readonly client?: string | undefined;
  /** Called with the number of nodes that were read, or of fields that were built. */
  readonly charge?: ((fields: number) => void) | undefined;
}

export interface TypedSchemasOptions<Served> {
  readonly generic: GraphQLSchema;
  readonly memory: MemoryBudget;
  readonly optionsOf: (store: string) => TypedSchemaOptions;
  /** Memory for schemas, in bytes. */
  readonly maxBytes: number;
  /** Age from which a model is checked in the background. @default 10,000 */
  readonly maxAgeMs?: number | undefined;
  readonly maxFields?: number | undefined;
  /** Adds to a schema what serves it. */
  readonly serve: (schema: GraphQLSchema) => Served;
  readonly warn: (store: string, problem: string) => void;
}

/** A store for one caller: with the same rights, the model is reused. */
interface Entry {
  /**
   * The root group and its members, see `Hierarchy.membersKey`: while they are the same, so is the model. Set only for a
   * root without groups, because a group may have separate consolidated metadata. Weak, because the document may be large.
   */
  state: { readonly root: WeakRef<object>; readonly members: string } | undefined;
  /** The last warning, so that it is logged once. */
  problems: string;
  /** The key of the last model. */
  key: string | undefined;
  checkedAtMs: number;
  isStale: boolean;
  checking: Promise<Model> | undefined;
}

/** What a schema is built from. Callers who see the same share it. */
interface Model {
  readonly key: string;
  readonly facts: TypedStoreFacts;
  /** Sizes and chunks by path, as last read. They do not determine the schema. */
  readonly sizes: ReadonlyMap<string, string>;
  /** Estimated memory. */
  readonly bytes: number;
}

/** By the functions of the rights and the store, so that an entry disappears with one of them. */
type ByRights = WeakMap<Permission, WeakMap<Permission, WeakMap<Permission, WeakMap<KeyStore, Entry>>>>;

export class TypedSchemas<Served> {
  readonly #options: TypedSchemasOptions<Served>;
  readonly #maxAgeMs: number;
  readonly #schemas: LRUCache<string, { readonly served: Served; readonly bytes: number }>;
  readonly #models: LRUCache<string, Model>;
  readonly #byRights: ByRights = new WeakMap();
  readonly #building = new Map<string, Promise<Served>>();
  /** Resolves when the last build of the queue has ended. */
  #lastBuild: Promise<void> = Promise.resolve();
  /** Counts the changes through this gateway, by store. */
  readonly #changes = new Map<string, number>();

  constructor(options: TypedSchemasOptions<Served>) {
    this.#options = options;
    this.#maxAgeMs = options.maxAgeMs ?? SCHEMA_MAX_AGE_MS;
    this.#schemas = new LRUCache({ maxSize: options.maxBytes, sizeCalculation: ({ bytes }) => bytes });
    this.#models = new LRUCache({
      maxSize: Math.ceil(MODEL_SHARE * options.maxBytes),
      sizeCalculation: ({ bytes }) => bytes,
    });
  }

  isEnabled(store: string): boolean {
    return this.#options.optionsOf(store).enabled !== false;
  }

  /** Call this after every change of metadata through the gateway: the next request waits for a check. */
  changed(store: string): void {
    this.#changes.set(store, (this.#changes.get(store) ?? 0) + 1);
  }

  /** Call this when a store is no longer served. */
  removed(store: string): void {
    this.#changes.delete(store);
  }

  /**
   * @param store a store of the caller, restricted to its rights
   * @throws StoreUnavailableError if the store does not answer, and there is no schema yet; errors from opening its root
   */
  async get(store: StoreModel, rights: CallerRights, client: SchemaClient): Promise<Served> {
    const entry = this.#entryOf(store, rights);
    const changes = this.#changes.get(store.name) ?? 0;
    let model = this.#modelOf(entry);
    if (model === undefined || entry.isStale || this.#seen.get(entry) !== changes)
      model = await this.#check(store, rights, entry, client);
    else if (performance.now() - entry.checkedAtMs > this.#maxAgeMs)
      this.#check(store, rights, entry, client).catch(() => undefined);
    return this.#served(model, store, rights, client);
  }

  /** Like `get`, but after a check that is not older than a second: for a document that is invalid for the last schema. */
  async getChecked(store: StoreModel, rights: CallerRights, client: SchemaClient): Promise<Served> {
    const entry = this.#entryOf(store, rights);
    const model = this.#modelOf(entry);
    const isRecent = performance.now() - entry.checkedAtMs <= MIN_CHECK_AGE_MS;
    if (model !== undefined && isRecent) return this.#served(model, store, rights, client);
    const check = this.#check(store, rights, entry, client);
    const current = await (model === undefined ? check : orAfter(MAX_WAIT_MS, check, model));
    return this.#served(current, store, rights, client);
  }

  /** Sizes and chunks of the arrays of a store by path, as last read for a schema of the caller. */
  sizesOf(store: StoreModel, rights: CallerRights): ReadonlyMap<string, string> {
    return this.#modelOf(this.#entryOf(store, rights))?.sizes ?? new Map();
  }

  #modelOf({ key }: Entry): Model | undefined {
    return key === undefined ? undefined : this.#models.get(key);
  }

  readonly #seen = new WeakMap<Entry, number>();

  #entryOf({ hierarchy: { store } }: StoreModel, { mayRead, mayEnter, mayWrite }: CallerRights): Entry {
    const byRead = insert(this.#byRights, mayRead, () => new WeakMap());
    const byEnter = insert(byRead, mayEnter, () => new WeakMap());
    const stores = insert(byEnter, mayWrite, () => new WeakMap<KeyStore, Entry>());
    return insert(stores, store, () => ({ state: undefined, problems: '', key: undefined, checkedAtMs: -Infinity, isStale: true, checking: undefined })); // prettier-ignore
  }

  /** One check at a time: further callers wait for the one that runs, unless a change came after it started. */
  async #check(store: StoreModel, rights: CallerRights, entry: Entry, client: SchemaClient): Promise<Model> {
    const changes = this.#changes.get(store.name) ?? 0;
    if (entry.checking !== undefined) {
      const model = await entry.checking;
      if ((this.#seen.get(entry) ?? -1) >= changes) return model;
    }
    entry.checking ??= this.#withMemory(client, (memory) =>
      this.#readAgain(store, rights, entry, changes, { memory, client }),
    ).finally(() => {
      entry.checking = undefined;
    });
    return entry.checking;
  }

  /** Memory of the client, until the caches hold the result. A background check may take longer than its request. */
  async #withMemory<T>({ client }: SchemaClient, run: (memory: RequestMemory) => Promise<T>): Promise<T> {
    const memory = this.#options.memory.open(client ?? IN_PROCESS);
    try {
      return await run(memory);
    } finally {
      memory.end();
    }
  }

  async #readAgain(
    store: StoreModel,
    rights: CallerRights,
    entry: Entry,
    changes: number,
    { memory, client }: { readonly memory: RequestMemory; readonly client: SchemaClient },
  ): Promise<Model> {
    const signal = AbortSignal.timeout(CHECK_MS);
    const options = this.#options.optionsOf(store.name);
    const maxFields = options.maxFields ?? this.#options.maxFields ?? MAX_SCHEMA_FIELDS;
    const collapsed = (options.collapse ?? []).map(parsePathPattern);
    const last = this.#modelOf(entry);
    const before = last === undefined ? undefined : groupsByPath(last.facts.root);
    try {
      const root = await store.hierarchy.node('/', { signal });
      const membersKey =
        root?.kind === 'group' ? await store.hierarchy.membersKey(root, { signal }) : undefined;
      const members = membersKey === undefined ? undefined : digestOf(membersKey);
      const isSame = members !== undefined && members === entry.state?.members && root === entry.state.root.deref(); // prettier-ignore
      if (isSame && last !== undefined) {
        entry.checkedAtMs = performance.now();
        entry.isStale = false;
        this.#seen.set(entry, changes);
        return last;
      }
      const omitted: string[] = [];
      const sizes = new Map<string, string>();
      let problems = 0;
      const facts = await readModel(store.hierarchy, {
        store: store.name,
        maxNodes: maxFields * NODES_PER_FIELD,
        isCollapsed: (path) => collapsed.some((pattern) => pattern.matches(path.slice(1))),
        signal,
        memory,
        size(path, array) {
          if (sizes.size < MAX_HINTED_ARRAYS) sizes.set(path, sizesText(array));
        },
        warn(path, problem) {
          problems += 1;
          if (omitted.length < MAX_PROBLEMS) omitted.push(`${path}: ${problem}`);
        },
        before: (path) => before?.get(path),
      });
      this.#warn(store.name, entry, problems, omitted);
      const shown = shownModel(facts, { ...options, maxFields });
      const writable = store.writable ? writableArrays(shown.root, shown.isArray, (path) => rights.mayWrite(store.name, path)) : []; // prettier-ignore
      const digest = await inTurns(modelOf(shown, [options.names ?? {}, writable.map(({ path }) => path)]), signal); // prettier-ignore
      client.charge?.(countNodes(facts.root));
      const { key, bytes } = digest;
      const model = { key, facts: this.#models.get(key)?.facts ?? shown, sizes, bytes: bytes + SIZES_BYTES * sizes.size }; // prettier-ignore
      this.#models.set(model.key, model);
      entry.key = model.key;
      // A restricted caller's right to write may change as well.
      const isFixed =
        root !== undefined &&
        members !== undefined &&
        facts.root.groups.length === 0 &&
        (membersKey === '' || !store.writable);
      entry.state = isFixed ? { root: new WeakRef(root), members } : undefined;
      entry.checkedAtMs = performance.now();
      entry.isStale = false;
      this.#seen.set(entry, changes);
      return model;
    } catch (error) {
      // The last schema remains.
      if (last !== undefined && (isZarrError(error) || error instanceof BusyError)) {
        entry.checkedAtMs = performance.now();
        this.#seen.set(entry, changes);
        return last;
      }
      throw unavailable(error, store.name);
    }
  }

  /** One line for all omitted nodes, again only if they have changed: a store may have thousands. */
  #warn(store: string, entry: Entry, count: number, first: readonly string[]): void {
    const text =
      count === 0 ? '' : `${count} nodes are not in the schema of the store; the first: ${first.join('; ')}`;
    if (text !== '' && text !== entry.problems) this.#options.warn(store, text);
    entry.problems = text;
  }

  async #served(
    model: Model,
    store: StoreModel,
    rights: CallerRights,
    client: SchemaClient,
  ): Promise<Served> {
    const { key } = model;
    const known = this.#schemas.get(key);
    if (known !== undefined) return known.served;
    const building = this.#building.get(key) ?? this.#build(model, store, rights, client);
    this.#building.set(key, building);
    try {
      return await building;
    } finally {
      this.#building.delete(key);
    }
  }

  async #build(
    { key, facts, bytes: modelBytes }: Model,
    store: StoreModel,
    rights: CallerRights,
    client: SchemaClient,
  ): Promise<Served> {
    const { generic, optionsOf, serve } = this.#options;
    const isWritable = (path: string): boolean => store.writable && rights.mayWrite(store.name, path);
    const { schema, bytes } = await this.#withMemory(client, async (memory) => {
      await memory.take(SCHEMA_FACTOR * modelBytes, {});
      // One at a time: requests for more schemas than fit in memory must not hold all of them at once. None waits for
      // memory here, so that one client cannot delay the others.
      const building = this.#lastBuild.then(() =>
        inTurns(buildSchema(facts, optionsOf(store.name), generic, isWritable)),
      );
      this.#lastBuild = building.then(
        () => undefined,
        () => undefined,
      );
      const built = await building;
      const size = bytesOf(built, generic);
      client.charge?.(size / FIELD_BYTES);
      return { schema: built, bytes: size };
    });
    const served = serve(schema);
    this.#schemas.set(key, { served, bytes });
    return served;
  }
}

/** A long key takes the memory of a digest. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** The value of a promise, or the other one if it takes too long or fails. */
export async function orAfter<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  try {
    return await Promise.race([promise.catch(() => otherwise), late]);
  } finally {
    clearTimeout(timer);
  }
}

function insert<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}

/** The digest of all that determines a schema. Yields after each array. */
function* modelOf(
  facts: TypedStoreFacts,
  rest: readonly unknown[],
): Generator<void, Pick<Model, 'key' | 'bytes'>, void> {
  const { store, isArray, root } = facts;
  const hash = createHash('sha256');
  let bytes = 0;
  const add = (part: unknown): void => {
    const text = `${JSON.stringify(part)}\n`;
    bytes += BYTES_PER_CHARACTER * text.length;
    hash.update(text);
  };
  // Arrays along the same dimensions share the lists of their dimensions and coordinates.
  const lists = new Map<readonly unknown[], number>();
  const listOf = (list: readonly unknown[]): unknown => {
    const known = lists.get(list);
    if (known === undefined) lists.set(list, lists.size);
    return known ?? list;
  };
  const addGroup = function* ({ arrays, groups, family, ...group }: GroupFacts): Generator<void, void, void> {
    add([group, arrays.length, groups.length, family?.members ?? null]);
    for (const { dims, coordinates, ...array } of arrays) {
      yield;
      add([array, listOf(dims), listOf(coordinates)]);
    }
    if (family !== undefined) yield* addGroup(family.union);
    for (const child of groups) {
      yield;
      yield* addGroup(child);
    }
  };
  add([store, isArray, ...rest]);
  yield* addGroup(root);
  return { key: hash.digest('hex'), bytes };
}

/** Estimated memory of the types that a schema does not share. */
function bytesOf(schema: GraphQLSchema, generic: GraphQLSchema): number {
  let fields = 100;
  for (const type of Object.values(schema.getTypeMap())) {
    if (generic.getType(type.name) === type) continue;
    if (isObjectType(type))
      for (const field of Object.values(type.getFields())) fields += 1 + field.args.length;
    else if (isInputObjectType(type)) fields += Object.keys(type.getFields()).length;
  }
  return fields * FIELD_BYTES;
}

function countNodes({ arrays, groups }: GroupFacts): number {
  return groups.reduce((sum, group) => sum + countNodes(group), 1 + arrays.length);
}

function groupsByPath(root: GroupFacts): Map<string, GroupFacts> {
  const groups = new Map<string, GroupFacts>();
  const visit = (group: GroupFacts): void => {
    groups.set(group.path, group);
    for (const child of group.groups) visit(child);
  };
  visit(root);
  return groups;
}

/** A check that takes too long is a store that does not answer. */
function unavailable(error: unknown, store: string): unknown {
  if (!(error instanceof ZarrError) || error.code !== 'ABORTED') return error;
  return new StoreUnavailableError('the metadata of the store could not be read in time; try again', {
    cause: error,
    where: { store },
  });
}
