/**
 * The permissions of a caller. Read permissions are enforced by restricting the hierarchies of stores, so
 * that no resolver can omit a check. Every change checks the write permission.
 */
import {
  InputError,
  NotFoundError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../zarr/index.js';
import type { StoreHistory, StoreModel } from '../models.js';
import { baseName } from '../nodes/store-name.js';

/**
 * Called with the configured name of a store and the absolute path of a node. Only `true` grants
 * permission.
 */
export type Permission = (store: string, path: string) => boolean;

/** The rights of one caller. A missing right never means permission. */
export interface CallerRights {
  /** Whether the caller may see the node. Other nodes and stores do not exist for the caller. */
  readonly mayRead: Permission;
  /**
   * Whether the caller may see the node or any node below it. Listings skip other groups. A store is visible
   * if this holds for its root.
   */
  readonly mayEnter: Permission;
  /** Whether the caller may change or create the node, in a writable store. */
  readonly mayWrite: Permission;
  /** Whether the caller may start jobs, and see them. @default never */
  readonly mayStartJobs?: (() => boolean) | undefined;
}

const always = () => true;
const never = () => false;

/** Every right on every store: for trusted callers, or without authentication. */
export const fullAccess: CallerRights = Object.freeze({
  mayRead: always,
  mayEnter: always,
  mayWrite: always,
  mayStartJobs: always,
});

export const noAccess: CallerRights = Object.freeze({
  mayRead: never,
  mayEnter: never,
  mayWrite: never,
  mayStartJobs: never,
});

/**
 * Validates the rights passed by a program, and drops all other properties. Checked at run time for
 * programs in JavaScript: a missing caller or a truthy value, such as the promise of an async function,
 * must not grant permission.
 * @throws InputError unless all rights are functions
 */
export function rightsOf(caller: CallerRights | undefined): CallerRights {
  const { mayRead, mayEnter, mayWrite, mayStartJobs }: Partial<CallerRights> = caller ?? {};
  if (typeof mayRead !== 'function' || typeof mayEnter !== 'function' || typeof mayWrite !== 'function')
    throw new InputError(
      'invalid caller: expected an object with the functions mayRead, mayEnter and mayWrite; pass "fullAccess" to allow everything',
    );
  return {
    mayRead: strict(mayRead),
    mayEnter: strict(mayEnter),
    mayWrite: strict(mayWrite),
    mayStartJobs: typeof mayStartJobs === 'function' ? strictRight(mayStartJobs) : never,
  };
}

/** One wrapper per function, so that callers with the same rights can be recognised. */
const strictPermissions = new WeakMap<Permission, Permission>();

function strict(permission: Permission): Permission {
  if (permission === always || permission === never) return permission;
  const known = strictPermissions.get(permission);
  if (known !== undefined) return known;
  const checked: Permission = (store, path) => {
    // Rights are those of the store, in each of its snapshots.
    const allowed: unknown = permission(baseName(store), path);
    return allowed === true;
  };
  strictPermissions.set(permission, checked).set(checked, checked);
  return checked;
}

const strictRights = new WeakMap<() => boolean, () => boolean>();

/** As `strict`, for a right that is not one to a node. */
function strictRight(right: () => boolean): () => boolean {
  const known = right === always || right === never ? right : strictRights.get(right);
  if (known !== undefined) return known;
  const checked = (): boolean => {
    const allowed: unknown = right();
    return allowed === true;
  };
  strictRights.set(right, checked).set(checked, checked);
  return checked;
}

/** Whether the caller may read everything, so that stores need no restriction. */
export function seesEverything({ mayRead, mayEnter }: CallerRights): boolean {
  return mayRead === always && mayEnter === always;
}

/** The stores that the caller may read, restricted to the caller's permissions, in configuration order. */
export function createVisibleStores(
  all: ReadonlyMap<string, StoreModel>,
  rights: CallerRights,
): readonly StoreModel[] {
  const stores = [...all.values()];
  if (seesEverything(rights)) return stores;
  return stores.filter(({ name }) => rights.mayEnter(name, '/')).map((store) => restricted(store, rights));
}

/** One of them; undefined if there is none of this name, or the caller may not read it. */
export function visibleStore(
  all: ReadonlyMap<string, StoreModel>,
  rights: CallerRights,
  name: string,
): StoreModel | undefined {
  const store = all.get(name);
  if (store === undefined || seesEverything(rights)) return store;
  return rights.mayEnter(name, '/') ? restricted(store, rights) : undefined;
}

/** Restricted on first use: a request uses few of perhaps a thousand stores. */
function restricted(store: StoreModel, rights: CallerRights): StoreModel {
  const { name, description, kind, writable, history, snapshot } = store;
  const base = baseName(name);
  let hierarchy: StoreModel['hierarchy'] | undefined;
  return {
    name,
    description,
    kind,
    writable,
    snapshot,
    history: history && restrictedHistory(history, rights),
    get hierarchy() {
      return (hierarchy ??= store.hierarchy.restrictTo({
        canRead: (path) => rights.mayRead(base, path),
        canTraverse: (path) => rights.mayEnter(base, path),
      }));
    },
  };
}

function restrictedHistory(history: StoreHistory, rights: CallerRights): StoreHistory {
  const { begin } = history;
  return {
    ...history,
    at: (id) => restricted(history.at(id), rights),
    begin:
      begin &&
      (async (options) => {
        const changes = await begin.call(history, options);
        return { ...changes, store: restricted(changes.store, rights) };
      }),
  };
}

/** @throws ForbiddenError without write permission; NotFoundError if the caller may not see the node */
export function assertMayWrite({ mayRead, mayWrite }: CallerRights, store: string, path: string): void {
  // The message is the same as for nodes that do not exist, so that it reveals nothing.
  if (!mayRead(store, path)) throw new NotFoundError('no node at this path', { where: { store, path } });
  if (!mayWrite(store, path))
    throw new ForbiddenError('the caller has no permission to write to this path', { store, path });
}

/** The location of a node, for errors. */
interface Where {
  readonly store?: string;
  readonly path?: string;
}

/** The caller may see the node, but lacks the right for this operation. */
export class ForbiddenError extends Error {
  override readonly name = 'ForbiddenError';
  readonly code = 'FORBIDDEN';

  constructor(
    message: string,
    readonly where: Where = {},
  ) {
    super(message);
  }
}

/** The documents by key. Nodes that the caller may not read are removed from consolidated documents. */
export function visibleDocuments(
  documents: JsonObject,
  path: string,
  canRead: (path: string) => boolean,
): JsonObject {
  const group = documents['zarr.json'];
  return isJsonObject(group) ? { ...documents, 'zarr.json': visibleGroup(group, path, canRead) } : documents;
}

function visibleGroup(group: JsonObject, path: string, canRead: (path: string) => boolean): JsonObject {
  const consolidated = group['consolidated_metadata'];
  if (!isJsonObject(consolidated) || !isJsonObject(consolidated['metadata'])) return group;
  const metadata: Record<string, JsonValue> = {};
  for (const [name, document] of Object.entries(consolidated['metadata'])) {
    const below = path === '/' ? `/${name}` : `${path}/${name}`;
    // Omits keys with extra slashes, which are ambiguous.
    if (!canRead(below) || /^\/|\/$|\/\//.test(name)) continue;
    metadata[name] = isJsonObject(document) ? visibleGroup(document, below, canRead) : document;
  }
  return { ...group, consolidated_metadata: { ...consolidated, metadata } };
}
