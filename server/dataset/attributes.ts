/** Attributes as users of a dataset see them, and those that the conventions give a meaning to. */
import type { JsonObject, JsonValue } from '../zarr/index.js';

/** What writers put among the attributes for themselves: names of dimensions, NetCDF's and NCZarr's own notes. */
function isBookkeeping(name: string): boolean {
  return name === '_ARRAY_DIMENSIONS' || /^_(nc|netcdf4)/i.test(name);
}

/** Without bookkeeping. The names of attributes are foreign, so the object has no prototype. */
export function visibleAttributes(attributes: JsonObject): JsonObject {
  return withoutNames(attributes, isBookkeeping);
}

export function withoutNames(attributes: JsonObject, isHidden: (name: string) => boolean): JsonObject {
  const visible: Record<string, JsonValue> = { __proto__: null };
  for (const [name, value] of Object.entries(attributes)) if (!isHidden(name)) visible[name] = value;
  return visible;
}

/** An attribute that is text; undefined for anything else. */
export function textAttribute(attributes: JsonObject, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' ? value : undefined;
}

/** The names in an attribute such as `coordinates`: text with blanks between them (CF, section 5). */
export function namesInAttribute(attributes: JsonObject, name: string): string[] {
  return (textAttribute(attributes, name) ?? '').split(/\s+/).filter((part) => part !== '');
}
