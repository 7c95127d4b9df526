/** Finds the members of a combined store by paths with wildcards, and opens them. */
import type { CombinedMember } from '../combined/combined-store.js';
import { parsePathPattern } from '../resolvers/nodes/path-pattern.js';
import {
  type CachedParts,
  type KeyStore,
  LimitError,
  NotFoundError,
  openStoreFromUrl,
  type OpenStoreOptions,
} from '../zarr/index.js';
import { archiveName, bucketScheme } from './address.js';
import { isShown, storeKindAt } from './find-stores.js';
import { addressBelow, closeLater } from './store-folder.js';

export interface MemberPathsOptions {
  /** Name of the combined store. */
  readonly name: string;
  /** Paths or URLs; wildcards are `*` within a name and `**` across folders. */
  readonly patterns: readonly string[];
  readonly maxStores: number;
  readonly options: OpenStoreOptions;
  readonly cachedParts?: CachedParts | undefined;
  /** Time until requests to a removed member have ended. */
  readonly requestTimeoutMs: number;
}

export interface MemberPaths {
  /** The members now. @throws store errors; NotFoundError if nothing matches; LimitError for too many */
  list(): Promise<readonly CombinedMember[]>;
  close(): Promise<void>;
}

/** Folders and archives that one search examines. */
const MAX_EXAMINED = 50_000;
/** Folders that are examined together. */
const BATCH = 16;
const SEARCH_MS = 60_000;

interface Place {
  /** The address up to the first wildcard. */
  readonly base: string;
  /** The rest; undefined for the address of one store. */
  readonly pattern: ReturnType<typeof parsePathPattern> | undefined;
}

export function createMemberPaths(given: MemberPathsOptions): MemberPaths {
  const { name, patterns, maxStores, cachedParts, requestTimeoutMs } = given;
  const readOnly = { ...given.options, readonly: true };
  const places = patterns.map(placeOf);
  const tops = places.map(({ base, pattern }) =>
    pattern === undefined
      ? undefined
      : openStoreFromUrl(name, base, { ...readOnly, maxAgeMs: 0, cacheBytes: 0 }),
  );
  const opened = new Map<string, CombinedMember>();

  function open(url: string, path: string): CombinedMember {
    const names = new Set([...opened.values()].map((member) => member.name));
    let unique = path;
    for (let i = 2; names.has(unique); i++) unique = `${path} (${i})`;
    const store = openStoreFromUrl(`${name}/${unique}`, url, { ...readOnly, metrics: metricsOf(name, readOnly), cachedParts }); // prettier-ignore
    return { name: unique, store };
  }

  async function search({ base, pattern }: Place, top: KeyStore | undefined): Promise<string[]> {
    if (pattern === undefined || top === undefined) return [base];
    const signal = AbortSignal.timeout(SEARCH_MS);
    const found: string[] = [];
    let examined = 0;
    let level = [''];
    while (level.length > 0) {
      const next: string[] = [];
      for (let at = 0; at < level.length; at += BATCH) {
        const lists = await Promise.all(
          level.slice(at, at + BATCH).map((folder) => top.list(folder, { signal })),
        );
        for (const [i, { keys, folders }] of lists.entries()) {
          const folder = level[at + i] ?? '';
          const paths = folders.filter(isShown).map((one) => (folder === '' ? one : `${folder}/${one}`));
          examined += paths.length + keys.length;
          if (examined > MAX_EXAMINED) throw tooMany(name, 'folders and files', MAX_EXAMINED);
          found.push(...keys.filter((key) => archiveName.test(key) && pattern.matches(key)).map((path) => addressBelow(base, path))); // prettier-ignore
          const stores = await Promise.all(paths.map(async (path) => isMember(top, base, path, pattern, signal))); // prettier-ignore
          for (const [k, path] of paths.entries()) {
            const address = stores[k];
            if (address !== undefined) found.push(address);
            else if (pattern.matchesBelow(path)) next.push(path);
          }
        }
      }
      level = next;
    }
    return found;
  }

  /** The address of a folder that is a store; undefined for others. */
  async function isMember(
    top: KeyStore,
    base: string,
    path: string,
    pattern: NonNullable<Place['pattern']>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (!pattern.matches(path)) return undefined;
    const address = addressBelow(base, path);
    if (opened.has(address)) return address;
    const kind = await storeKindAt(top, path, signal);
    if (kind === undefined) return undefined;
    return kind === 'icechunk' ? `icechunk+${top.isLocal ? 'file:' : ''}${address}` : address;
  }

  return {
    async list() {
      const urls = new Set((await Promise.all(places.map((place, i) => search(place, tops[i])))).flat());
      if (urls.size === 0) throw new NotFoundError(`no store matches the paths of "${name}"`);
      if (urls.size > maxStores) throw tooMany(name, 'stores', maxStores);
      for (const [url, { store }] of opened)
        if (!urls.has(url)) {
          opened.delete(url);
          closeLater(store, requestTimeoutMs);
        }
      const members: CombinedMember[] = [];
      for (const url of [...urls].toSorted()) {
        const member = opened.get(url) ?? open(url, shortName(url, places));
        opened.set(url, member);
        members.push(member);
      }
      return members;
    },
    async close() {
      const stores = [...tops.flatMap((top) => top ?? []), ...[...opened.values()].map(({ store }) => store)];
      await Promise.all(stores.map((store) => store.close()));
    },
  };
}

/** Splits an address before the first part with a wildcard. */
function placeOf(address: string): Place {
  const [, path = '', query = ''] = bucketScheme.test(address)
    ? (/^([^?]*)(.*)$/.exec(address) ?? [])
    : [undefined, address, ''];
  const star = path.indexOf('*');
  if (star < 0) return { base: address, pattern: undefined };
  const slash = path.lastIndexOf('/', star);
  return { base: `${path.slice(0, Math.max(slash, 0)) || (slash === 0 ? '/' : '.')}${query}`, pattern: parsePathPattern(path.slice(slash + 1)) }; // prettier-ignore
}

/** The part of an address after the last base that it begins with, without secrets of a query. */
function shortName(url: string, places: readonly Place[]): string {
  const address = url.replace(/^icechunk\+(?:file:)?/, '').replace(/\?.*$/s, '');
  const bases = places.flatMap(({ base, pattern }) => (pattern === undefined ? [] : [base.replace(/\?.*$/s, '').replace(/\/$/, '')])); // prettier-ignore
  const base = bases
    .filter((one) => address.startsWith(`${one}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  return base === undefined ? address.slice(address.lastIndexOf('/') + 1) : address.slice(base.length + 1);
}

/** Counts requests to all members as those of the combined store. */
function metricsOf(store: string, { metrics }: OpenStoreOptions): OpenStoreOptions['metrics'] {
  if (metrics === undefined) return undefined;
  return {
    ended: (call) => metrics.ended({ ...call, store }),
    retried: (retry) => metrics.retried?.({ ...retry, store }),
    hedged: (hedge) => metrics.hedged?.({ ...hedge, store }),
  };
}

function tooMany(name: string, what: string, allowed: number): LimitError {
  return new LimitError(`the paths of "${name}" match more than ${allowed} ${what}`, {
    excess: [{ limit: what, allowed, needed: allowed + 1 }],
  });
}
