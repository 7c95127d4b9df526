import { parseMultiscales } from '../dataset/multiscales.js';
import { atPlace } from '../zarr/index.js';
import type { ImageLevelResolvers } from './generated/types.js';
import type { GroupModel, MultiscaleModel } from './models.js';

export const imageLevelResolvers: ImageLevelResolvers = {
  array: ({ store, path }, _, context) => context.nodes.array(store, path),
};

/** @throws MetadataError */
export function multiscalesOf({ store, node }: GroupModel): MultiscaleModel[] {
  try {
    return parseMultiscales(node).map((image) => ({
      ...image,
      levels: image.levels.map((level) => ({ ...level, store })),
    }));
  } catch (error) {
    throw atPlace(error, { store: store.name, path: node.path });
  }
}
