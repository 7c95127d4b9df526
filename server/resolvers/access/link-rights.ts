/** What a link may read: the arrays that it was made for, and nothing else. */
import type { SliceRecipe } from '../../analysis/recipe.js';
import type { CallerRights } from './caller-rights.js';
import { parentPath } from '../nodes/node-loader.js';
import type { SliceModel } from '../models.js';
import { ForbiddenError } from './forbidden-error.js';

/**
 * The arrays that a slice reads, by their paths in its store.
 * @param mayRead whether an array of that store may be read
 * @throws ForbiddenError unless every one may be
 */
export function readablePaths(
  { store, slice }: Pick<SliceModel, 'store' | 'slice'>,
  mayRead: (path: string) => boolean,
): readonly string[] {
  const paths = new Set<string>();
  for (const { array } of slice.inputs) {
    // Paths say nothing about another store.
    if (array.home.store !== store.hierarchy.store || !mayRead(array.path))
      throw new ForbiddenError('this slice reads an array that may not be read here', { store: store.name });
    paths.add(array.path);
  }
  return [...paths];
}

/**
 * Of one who follows a link: the arrays that the slice reads; for several of them their group, and for decoded values all
 * arrays of the group too, which say how to decode. Whoever asked for the link had the right to read these; all other nodes and stores are hidden
 * from those who follow it.
 * @param inputs as the link names them; what is read is checked against them once more, by `readablePaths`
 */
export function linkRights({ store, path, decode }: SliceRecipe, inputs: readonly string[]): CallerRights {
  const arrays = new Set([path, ...inputs]);
  const group = parentPath(path);
  // Several arrays are found by the group that makes them one dataset.
  const isGroup = (other: string): boolean => other === group && (decode !== undefined || arrays.size > 1);
  const isBeside = (other: string): boolean =>
    decode !== undefined && group !== undefined && parentPath(other) === group;
  const isNeeded = (other: string): boolean => arrays.has(other) || isGroup(other) || isBeside(other);
  const isAbove = (other: string): boolean =>
    [...arrays].some((array) => array.startsWith(other === '/' ? '/' : `${other}/`));
  return {
    mayRead: (name, other) => name === store && isNeeded(other),
    mayEnter: (name, other) => name === store && (isNeeded(other) || isAbove(other)),
    mayWrite: () => false,
  };
}
