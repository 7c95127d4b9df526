/** Options for urql's normalised cache: `cacheExchange(graphcacheOptions)`. */
import { objectTypes, possibleTypes } from '../generated/cache-types.js';

/** A structural copy of graphcache's type `KeyGenerator`. */
type KeyGenerator = (data: { readonly id?: unknown }) => string | null;

/**
 * `keys` normalises every object by its `id`. Objects without an `id`, or selected without it, are stored within their
 * parent. `possibleTypes` lets graphcache match fragments on interfaces exactly.
 */
export const graphcacheOptions = {
  keys: Object.fromEntries(objectTypes.map((name): [string, KeyGenerator] => [name, keyOf])),
  possibleTypes,
};

function keyOf({ id }: Parameters<KeyGenerator>[0]): string | null {
  return typeof id === 'string' ? id : null;
}
