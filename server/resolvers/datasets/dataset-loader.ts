/** Opens each dataset once per request and reads its coordinates once, charged to the request. */
import { type CoordinateCache, createCoordinateReader } from '../../dataset/coordinate-reader.js';
import { wholeDataset } from '../../dataset/cut-dataset.js';
import type { Dataset } from '../../dataset/variable.js';
import { namesAround, openDataset, openNamed } from '../../dataset/open-dataset.js';
import { withContext, isZarrError } from '../../zarr/index.js';
import type { ReadScope } from '../budget.js';
import { type DatasetModel, type GroupModel, isGroupModel, type StoreModel } from '../models.js';
import { type NodeLoader, parentPath } from '../nodes/node-loader.js';

export type DatasetLoader = ReturnType<typeof createDatasetLoader>;

export function createDatasetLoader(nodes: NodeLoader, cache: CoordinateCache, scope: ReadScope) {
  const opened = new Map<string, Promise<Dataset>>();
  const { budget, signal } = scope;
  const coordinates = createCoordinateReader(
    cache,
    (slice, reading) => budget.lookUp(slice, signal, reading),
    {
      reserve: (bytes) => budget.reserve(bytes, signal),
      chargeRemembered: (slice) => budget.chargeRemembered(slice),
      signal,
      chargeLookUps: (positions) => budget.chargePositions(positions),
    },
  );

  function datasetOf({ store, node }: GroupModel): Promise<Dataset> {
    const key = JSON.stringify([store.name, node.path]);
    const known = opened.get(key);
    if (known !== undefined) return known;
    const opening = openWithin({ store, node });
    opened.set(key, opening);
    return opening;
  }

  async function openWithin({ store, node }: GroupModel): Promise<Dataset> {
    try {
      return await openDataset(store.hierarchy, node, await datasetAbove(store, node.path), scope.signal);
    } catch (error) {
      throw withContext(error, { store: store.name, path: node.path });
    }
  }

  /** The dataset of the nearest ancestor group that is a dataset; undefined if none is. */
  async function datasetAbove(store: StoreModel, path: string): Promise<Dataset | undefined> {
    const parent = parentPath(path);
    if (parent === undefined) return undefined;
    const group = await nodes.find(store, parent);
    if (group === undefined || !isGroupModel(group)) return datasetAbove(store, parent);
    try {
      return await datasetOf(group);
    } catch (error) {
      if (isZarrError(error, 'INVALID_METADATA')) return datasetAbove(store, parent);
      throw error;
    }
  }

  /**
   * The dataset around an array, for stores without listing: the arrays that the array refers to by name,
   * from its group and the groups above.
   */
  async function datasetNamed({ store, node }: GroupModel, names: readonly string[]): Promise<Dataset> {
    const parent = parentPath(node.path);
    const group = parent === undefined ? undefined : await nodes.find(store, parent);
    const above = group !== undefined && isGroupModel(group) ? await datasetNamed(group, names) : undefined;
    return openNamed(store.hierarchy, node, names, above, scope.signal);
  }

  return {
    coordinates,
    /**
     * The dataset of a group.
     * @throws NotFoundError, MetadataError if the group is not a dataset; errors from opening it
     */
    async open(store: StoreModel, path: string): Promise<DatasetModel> {
      return { store, cut: wholeDataset(await datasetOf(await nodes.group(store, path))) };
    },
    /**
     * The dataset that an array belongs to; undefined for an array without a group.
     * @throws errors from `open`
     */
    async around(store: StoreModel, arrayPath: string): Promise<DatasetModel | undefined> {
      const parent = parentPath(arrayPath);
      const group = parent === undefined ? undefined : await nodes.find(store, parent);
      if (group === undefined || !isGroupModel(group)) return undefined;
      try {
        return { store, cut: wholeDataset(await datasetOf(group)) };
      } catch (error) {
        if (store.hierarchy.store.can.list || !isZarrError(error, 'UNSUPPORTED')) throw error;
        const { node } = await nodes.array(store, arrayPath);
        return { store, cut: wholeDataset(await datasetNamed(group, namesAround(node))) };
      }
    },
    /** Discards opened datasets after a change. */
    forget: (): void => opened.clear(),
  };
}
