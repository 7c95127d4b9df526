/** Options for urql's normalised cache: `cacheExchange(graphcacheOptions)`. */
import { objectTypes, possibleTypes } from '../generated/cache-types.js';

/** Structural: what graphcache calls `KeyGenerator`. */
type KeyGenerator = (data: { readonly id?: unknown }) => string | null;

/**
 * `keys` normalises every object by its `id`; those without one, or selected without it, are stored within their parent.
 * `possibleTypes` makes fragments on interfaces exact.
 */
export const graphcacheOptions = {
  keys: Object.fromEntries(objectTypes.map((name): [string, KeyGenerator] => [name, keyOf])),
  possibleTypes,
};

function keyOf({ id }: Parameters<KeyGenerator>[0]): string | null {
  return typeof id === 'string' ? id : null;
}
