/** Opens nodes once a request: a document that names an array in ten places reads its metadata one time. */
import { atPlace, NotFoundError, parseNodePath, type ZarrArray, type ZarrGroup } from '../../zarr/index.js';
import type { ArrayModel, GroupModel, NodeModel, StoreModel } from '../models.js';
import { didYouMean } from './did-you-mean.js';

export interface NodeLoader {
  /** @throws NotFoundError, the first ones naming the nearest names; and what opening throws */
  node(store: StoreModel, path: string): Promise<NodeModel>;
  /** The node, or undefined where there is none. */
  find(store: StoreModel, path: string): Promise<NodeModel | undefined>;
  group(store: StoreModel, path: string): Promise<GroupModel>;
  array(store: StoreModel, path: string): Promise<ArrayModel>;
  /** Opens everything anew from now on: something was changed. */
  forget(): void;
}

/** Errors of one request that name what is near: for each, up to some hundred nodes are looked at. */
const maxHints = 3;

/** @param namesNear whether errors name what is near */
export function createNodeLoader(signal: AbortSignal | undefined, namesNear: boolean): NodeLoader {
  const opened = new Map<string, Promise<ZarrArray | ZarrGroup | undefined>>();
  let hints = namesNear ? maxHints : 0;

  function open(store: StoreModel, path: string): Promise<ZarrArray | ZarrGroup | undefined> {
    const key = JSON.stringify([store.name, path]);
    const known = opened.get(key);
    if (known !== undefined) return known;
    const opening = store.hierarchy.node(path, { signal });
    opened.set(key, opening);
    return opening;
  }

  async function find(store: StoreModel, path: string): Promise<NodeModel | undefined> {
    const absolute = asAbsolute(path);
    try {
      const node = await open(store, absolute);
      return node === undefined ? undefined : modelOf(store, node);
    } catch (error) {
      throw atPlace(error, { store: store.name, path: absolute });
    }
  }

  async function existing(store: StoreModel, path: string, wanted: string): Promise<NodeModel> {
    const found = await find(store, path);
    if (found !== undefined) return found;
    const near = hints-- > 0 ? await store.hierarchy.nearestPaths(path, { signal }) : [];
    throw new NotFoundError(`there is no ${wanted} here${didYouMean(near)}`, {
      where: { store: store.name, path: parseNodePath(path) },
    });
  }

  return {
    find,
    forget: () => opened.clear(),
    node: (store, path) => existing(store, path, 'node'),
    async group(store, path) {
      const { node } = await existing(store, path, 'group');
      // If not, only to fail: the engine says what is there.
      return { store, node: node.kind === 'group' ? node : await store.hierarchy.group(path, { signal }) };
    },
    async array(store, path) {
      const { node } = await existing(store, path, 'array');
      return { store, node: node.kind === 'array' ? node : await store.hierarchy.array(path, { signal }) };
    },
  };
}

export function modelOf(store: StoreModel, node: ZarrArray | ZarrGroup): NodeModel {
  return node.kind === 'group' ? { store, node } : { store, node };
}

/** One key for one place; what is wrong with a path, the engine says. */
function asAbsolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** A path relative to a group, as a path of the store. */
export function pathBelow(group: ZarrGroup, path: string): string {
  const relative = path.startsWith('/') ? path.slice(1) : path;
  return group.path === '/' ? `/${relative}` : `${group.path}/${relative}`;
}

/** The path one level up; undefined for the root. */
export function parentPath(path: string): string | undefined {
  if (path === '/') return undefined;
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}
