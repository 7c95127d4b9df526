import type { SliceRecipe } from '../../analysis/recipe.js';
import type { LabelledSet } from '../../transport/labelled-set.js';
import { assertReadable } from '../../zarr/index.js';
import { readablePaths } from '../access/link-rights.js';
import type { GatewayContext } from '../context.js';
import { labelledSetOf, type NamedModel } from './labelled-set.js';

/** What a link to slices and their coordinates signs. */
export interface SetClaims {
  readonly slices: readonly { readonly name: string; readonly recipe: SliceRecipe }[];
  /** Paths of all arrays that may be read. */
  readonly inputs: readonly string[];
  /** Names of the coordinates that the caller could read. */
  readonly coordinates: readonly string[];
}

/**
 * @throws ForbiddenError unless the caller may read every array involved; UnsupportedError for values that cannot be
 * read; errors from the coordinates
 */
export async function setClaims(
  models: readonly NamedModel[],
  context: GatewayContext,
): Promise<{ readonly set: LabelledSet; readonly claims: SetClaims }> {
  const inputs = new Set<string>();
  for (const { model } of models) {
    const { store, slice } = model;
    for (const path of readablePaths(model, (name) => context.rights.mayRead(store.name, name)))
      inputs.add(path);
    assertReadable(slice);
  }
  const set = await labelledSetOf(models, undefined, context);
  for (const { slice } of set.coordinates) for (const { array } of slice.inputs) inputs.add(array.path);
  const claims = {
    slices: models.map(({ name, model: { recipe } }) => ({ name, recipe })),
    inputs: [...inputs],
    coordinates: set.coordinates.map(({ name }) => name),
  };
  return { set, claims };
}
