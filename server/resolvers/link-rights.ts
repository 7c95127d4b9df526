/** What a followed link may read. */
import type { CallerRights } from './caller-rights.js';
import { parentPath } from './node-loader.js';
import type { SliceRecipe } from './slice-recipe.js';

/**
 * The array that the link was made for, and for decoded values its group with the arrays in it, which say how to decode.
 * Whoever asked for the link had the right to read these; all other nodes and stores are hidden from those who follow it.
 */
export function linkRights({ store, path, decode }: SliceRecipe): CallerRights {
  const group = decode === undefined ? undefined : parentPath(path);
  const isNeeded = (other: string): boolean =>
    other === path || (group !== undefined && (other === group || parentPath(other) === group));
  return {
    mayRead: (name, other) => name === store && isNeeded(other),
    mayEnter: (name, other) =>
      name === store && (isNeeded(other) || path.startsWith(other === '/' ? '/' : `${other}/`)),
    mayWrite: () => false,
  };
}
