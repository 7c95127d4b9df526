/** The rights of a link: the arrays that it was created for, and the nodes that describe them. */
import type { SliceRecipe } from '../../analysis/recipe.js';
import { type CallerRights, ForbiddenError } from './caller-rights.js';
import { UnsupportedError } from '../../zarr/index.js';
import { parentPath } from '../nodes/node-loader.js';
import { baseName } from '../nodes/store-name.js';
import type { SliceModel } from '../models.js';

/**
 * The arrays that a slice reads, by their paths in its store.
 * @param mayRead whether an array of that store may be read
 * @throws ForbiddenError unless all arrays may be read
 */
export function readablePaths(
  { store, slice }: Pick<SliceModel, 'store' | 'slice'>,
  mayRead: (path: string) => boolean,
): readonly string[] {
  const paths = new Set<string>();
  for (const { array } of slice.inputs) {
    if (
      array.context.store !== store.hierarchy.store &&
      array.context.store.label !== store.hierarchy.store.label
    )
      throw new UnsupportedError(
        'links of results of several stores are not supported; request the values instead',
      );
    // A path identifies an array only within its store.
    if (array.context.store !== store.hierarchy.store || !mayRead(array.path))
      throw new ForbiddenError('no permission to read an array that the slice requires', {
        store: store.name,
      });
    paths.add(array.path);
  }
  return [...paths];
}

/**
 * The rights of a client that follows a link: the arrays that the slice reads; for several arrays and for
 * decoded values also their groups; for decoded values also all arrays of the group, which describe the
 * decoding. The caller that requested the link had permission to read the arrays of the slice. All other
 * nodes and stores are hidden.
 * @param inputs the inputs named in the link; `readablePaths` checks the arrays to read against them
 */
export function linkRights(recipe: SliceRecipe, inputs: readonly string[]): CallerRights {
  const { store, path, decode, compute } = recipe;
  const isDecoded = decode !== undefined || compute !== undefined;
  const arrays = new Set(compute === undefined ? [path, ...inputs] : inputs);
  const described = new Set(groupsOf(recipe));
  // Variables of an expression may be inherited from the groups above.
  const groups = new Set([...described, ...(compute === undefined ? [] : inputs.map(parentPath))]);
  // Several arrays imply that the group is read as a dataset.
  const isGroup = (other: string): boolean => groups.has(other) && (isDecoded || arrays.size > 1);
  const isBeside = (other: string): boolean => {
    const parent = parentPath(other);
    return isDecoded && parent !== undefined && described.has(parent);
  };
  const isNeeded = (other: string): boolean => arrays.has(other) || isGroup(other) || isBeside(other);
  const isAbove = (other: string): boolean =>
    [...arrays].some((array) => array.startsWith(other === '/' ? '/' : `${other}/`));
  // Rights are those of the store, in each of its snapshots.
  const base = baseName(store);
  return {
    mayRead: (name, other) => name === base && isNeeded(other),
    mayEnter: (name, other) => name === base && (isNeeded(other) || isAbove(other)),
    mayWrite: () => false,
  };
}

/** The groups whose datasets describe the slice, and the results that its expression names. */
function groupsOf({ path, compute, inputs = [] }: SliceRecipe): string[] {
  const group = compute === undefined ? parentPath(path) : path;
  return [...(group === undefined ? [] : [group]), ...inputs.flatMap(({ slice }) => groupsOf(slice))];
}
