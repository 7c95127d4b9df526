/** Evaluates what roles permit for a store and a path. */
import type { Config } from '../../config.js';
import type { CallerRights } from '../../gateway/options.js';

export type AuthConfig = NonNullable<Config['auth']>;

/** A subtree: one store or all stores, a path, and everything below the path. */
interface Permission {
  readonly store: string;
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
    holds: (path: string) => boolean,
  ): boolean =>
    permissions.some((given) => (given.store === '*' || given.store === store) && holds(given.path));
  return {
    mayRead: (store, path) => anyFor(read, store, (granted) => isWithin(path, granted)),
    mayEnter: (store, path) =>
      anyFor(read, store, (granted) => isWithin(path, granted) || isWithin(granted, path)),
    mayWrite: (store, path) => anyFor(write, store, (granted) => isWithin(path, granted)),
    maySeeMetrics: roles.some((role) => role.metrics),
  };
}

function parsePermission(text: string): Permission {
  const slash = text.indexOf('/');
  return slash < 0 ? { store: text, path: '/' } : { store: text.slice(0, slash), path: text.slice(slash) };
}

/** Whether `path` equals `outer` or is below it. */
function isWithin(path: string, outer: string): boolean {
  return outer === '/' || path === outer || path.startsWith(`${outer}/`);
}
