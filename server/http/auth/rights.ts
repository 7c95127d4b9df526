/** Evaluates what roles permit for a store and a path. */
import type { Config } from '../../config.js';
import type { CallerRights } from '../../gateway/options.js';

export type AuthConfig = NonNullable<Config['auth']>;

/** A subtree: a store or a path in it (with `*`, in every store), and everything below it. */
interface Permission {
  readonly isAnyStore: boolean;
  /** With `isAnyStore`, the path within the store, "/" for all of it. Otherwise, it starts with the name of the store. */
  readonly path: string;
}

export interface Rights extends CallerRights {
  readonly maySeeMetrics: boolean;
}

/** Rights of a set of roles, cached per set. Roles that are not configured grant nothing. */
export function createRightsOf(roles: AuthConfig['roles']): (names: readonly string[]) => Rights {
  const known = new Map<string, Rights>();
  return (names) => {
    const own = [...new Set(names)].filter((name) => Object.hasOwn(roles, name)).toSorted();
    const key = JSON.stringify(own);
    let rights = known.get(key);
    if (rights === undefined) {
      rights = rightsOf(own.flatMap((name) => roles[name] ?? []));
      known.set(key, rights);
    }
    return rights;
  };
}

function rightsOf(roles: readonly AuthConfig['roles'][string][]): Rights {
  const write = roles.flatMap((role) => role.write.map(parsePermission));
  const read = [...roles.flatMap((role) => role.read.map(parsePermission)), ...write];
  const anyFor = (
    permissions: readonly Permission[],
    store: string,
    path: string,
    holds: (path: string, granted: string) => boolean,
  ): boolean => {
    // The names of stores in a folder of stores contain its name: a right for "ocean" holds for "ocean/sst.zarr".
    const full = path === '/' ? `/${store}` : `/${store}${path}`;
    return permissions.some((given) => holds(given.isAnyStore ? path : full, given.path));
  };
  const isNear = (path: string, granted: string): boolean =>
    isWithin(path, granted) || isWithin(granted, path);
  return {
    mayRead: (store, path) => anyFor(read, store, path, isWithin),
    mayEnter: (store, path) => anyFor(read, store, path, isNear),
    mayWrite: (store, path) => anyFor(write, store, path, isWithin),
    mayStartJobs: () => roles.some((role) => role.jobs),
    maySeeMetrics: roles.some((role) => role.metrics),
  };
}

function parsePermission(text: string): Permission {
  const isAnyStore = text === '*' || text.startsWith('*/');
  return isAnyStore ? { isAnyStore, path: text.slice(1) || '/' } : { isAnyStore, path: `/${text}` };
}

/** Whether `path` equals `outer` or is below it. */
function isWithin(path: string, outer: string): boolean {
  return outer === '/' || path === outer || path.startsWith(`${outer}/`);
}
