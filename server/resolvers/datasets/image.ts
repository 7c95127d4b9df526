import { parseMultiscales } from '../../dataset/multiscales.js';
import { withContext } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { ImageLevelResolvers } from '../generated/types.js';
import {
  type GroupModel,
  type ImageLevelModel,
  isArrayModel,
  isGroupModel,
  type MultiscaleModel,
} from '../models.js';

export const imageLevelResolvers: ImageLevelResolvers = {
  async array({ store, path }, _, context) {
    const node = await context.nodes.node(store, path);
    return isArrayModel(node) ? node : null;
  },
  group: (level, _, context) => groupOf(level, context),
  async dataset(level, _, context) {
    const group = await groupOf(level, context);
    return group === null ? null : context.datasets.open(group.store, group.node.path);
  },
};

async function groupOf(
  { store, path }: ImageLevelModel,
  context: GatewayContext,
): Promise<GroupModel | null> {
  const node = await context.nodes.node(store, path);
  return isGroupModel(node) ? node : null;
}

/**
 * Charges the levels, because their groups may contain further pyramids.
 * @throws LimitError if the levels exceed the limit of the request; errors from `parseMultiscales`
 */
export function multiscalesOf({ store, node }: GroupModel, context: GatewayContext): MultiscaleModel[] {
  try {
    const images = parseMultiscales(node);
    context.budget.chargeFields(images.reduce((sum, { levels }) => sum + levels.length, 0));
    return images.map((image) => ({
      ...image,
      levels: image.levels.map((level) => ({ ...level, store })),
    }));
  } catch (error) {
    throw withContext(error, { store: store.name, path: node.path });
  }
}
