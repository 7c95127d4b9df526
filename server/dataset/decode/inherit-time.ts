/** Bounds of a time coordinate need not repeat its attributes (CF, section 7.1). */
import type { JsonObject } from '../../zarr/index.js';

/**
 * @param bounds attributes of the variable that `parent.bounds` names
 * @param parent attributes of the coordinate
 * @returns the attributes for decoding the bounds: those of the bounds, plus units and calendar of the
 * parent if these describe dates
 */
export function inheritTimeAttributes(bounds: JsonObject, parent: JsonObject): JsonObject {
  const { units, calendar } = parent;
  if (typeof units !== 'string' || !units.includes('since')) return bounds;
  const inherited = calendar === undefined ? { units } : { units, calendar };
  return { ...inherited, ...bounds };
}
