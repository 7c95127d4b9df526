/** Bounds of a time coordinate need not repeat its attributes (CF, section 7.1). */
import type { JsonObject } from '../../zarr/index.js';

/**
 * @param bounds the attributes of the variable that `parent.bounds` names
 * @param parent those of the coordinate
 * @returns the attributes to decode the bounds by: theirs, with the parent's units and calendar where those are dates
 */
export function inheritTimeAttributes(bounds: JsonObject, parent: JsonObject): JsonObject {
  const { units, calendar } = parent;
  if (typeof units !== 'string' || !units.includes('since')) return bounds;
  const inherited = calendar === undefined ? { units } : { units, calendar };
  return { ...inherited, ...bounds };
}
