/** Opens each node once per request, even if the document refers to it several times. */
import {
  withContext,
  NotFoundError,
  parseNodePath,
  type ZarrArray,
  type ZarrGroup,
} from '../../zarr/index.js';
import type { ArrayModel, GroupModel, NodeModel, StoreModel } from '../models.js';

export type NodeLoader = ReturnType<typeof createNodeLoader>;

/**
 * Maximum number of errors per request that suggest names: each suggestion compares up to 200 nodes.
 */
const MAX_HINTS = 3;

/** @param namesNear whether errors suggest names */
export function createNodeLoader(signal: AbortSignal | undefined, namesNear: boolean) {
  const opened = new Map<string, Promise<ZarrArray | ZarrGroup | undefined>>();
  let hints = namesNear ? MAX_HINTS : 0;

  async function lookUp(store: StoreModel, path: string): Promise<ZarrArray | ZarrGroup | undefined> {
    // One key per node. The engine rejects invalid paths.
    const absolute = path.startsWith('/') ? path : `/${path}`;
    const key = JSON.stringify([store.name, absolute]);
    try {
      let opening = opened.get(key);
      if (opening === undefined) {
        opening = store.hierarchy.node(absolute, { signal });
        opened.set(key, opening);
      }
      return await opening;
    } catch (error) {
      throw withContext(error, { store: store.name, path: absolute });
    }
  }

  async function missing(store: StoreModel, path: string, wanted: string): Promise<never> {
    const note = hints-- > 0 ? await store.hierarchy.absenceNote(path, { signal }) : '';
    throw new NotFoundError(`no ${wanted} at this path${note}`, {
      where: { store: store.name, path: parseNodePath(path) },
    });
  }

  return {
    /**
     * @throws NotFoundError; the first few of these errors suggest similar names; errors from opening the node
     */
    node: async (store: StoreModel, path: string): Promise<NodeModel> =>
      modelOf(store, (await lookUp(store, path)) ?? (await missing(store, path, 'node'))),
    /** The node, or undefined if it does not exist. */
    async find(store: StoreModel, path: string): Promise<NodeModel | undefined> {
      const node = await lookUp(store, path);
      return node === undefined ? undefined : modelOf(store, node);
    },
    async group(store: StoreModel, path: string): Promise<GroupModel> {
      const node = (await lookUp(store, path)) ?? (await missing(store, path, 'group'));
      // If it is an array, this call throws the engine's error.
      return { store, node: node.kind === 'group' ? node : await store.hierarchy.group(path, { signal }) };
    },
    async array(store: StoreModel, path: string): Promise<ArrayModel> {
      const node = (await lookUp(store, path)) ?? (await missing(store, path, 'array'));
      return { store, node: node.kind === 'array' ? node : await store.hierarchy.array(path, { signal }) };
    },
    /** Discards opened nodes after a change. */
    forget: (): void => opened.clear(),
  };
}

export function modelOf(store: StoreModel, node: ZarrArray | ZarrGroup): NodeModel {
  return node.kind === 'group' ? { store, node } : { store, node };
}

/** Resolves a path relative to a group to a path in the store. */
export function pathBelow(group: ZarrGroup, path: string): string {
  const relative = path.startsWith('/') ? path.slice(1) : path;
  return group.path === '/' ? `/${relative}` : `${group.path}/${relative}`;
}

/** The parent's path; undefined for the root. */
export function parentPath(path: string): string | undefined {
  if (path === '/') return undefined;
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}
