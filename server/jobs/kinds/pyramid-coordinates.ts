/** The coordinates of the levels of a pyramid: those of the dimensions of the source. */
import type { SliceRecipe } from '../../analysis/recipe.js';
import { indexOf } from '../../dataset/variable.js';
import { numberAccess } from '../../zarr/index.js';
import { datasetOf, type SliceSource } from '../source.js';

/** Only whole dimensions of stored or decoded arrays have coordinates that can be shrunk together with them. */
export async function pyramidCoordinates(
  { slice, store }: SliceSource,
  recipe: SliceRecipe,
  signal: AbortSignal | undefined,
): Promise<SliceSource[]> {
  if (recipe.compute !== undefined || recipe.steps.length > 0) return [];
  const dataset = await datasetOf(store, recipe.path, signal);
  if (dataset === undefined) return [];
  return slice.dims.flatMap(({ name }) => {
    const variable = name === null ? undefined : indexOf(dataset, name);
    if (variable === undefined || numberAccess(variable.array.meta.dtype.name) === undefined) return [];
    const { array, stored } = variable;
    return [{ kind: 'slice', slice: stored, array, stored: array, attributes: array.meta.attributes, store }];
  });
}
