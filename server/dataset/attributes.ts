/** Attributes as users of a dataset see them, and those that the conventions give a meaning to. */
import { type JsonObject, type JsonValue, MetadataError } from '../zarr/index.js';

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

/** Characters of an attribute that lists names: a thousand of them have about 30,000. */
const MAX_NAMES_TEXT = 2 ** 17;

/**
 * The names in an attribute such as `coordinates`: text with blanks between them (CF, section 5).
 * @throws MetadataError where they are too many to look at
 */
export function namesInAttribute(attributes: JsonObject, name: string): string[] {
  const text = textAttribute(attributes, name) ?? '';
  if (text.length > MAX_NAMES_TEXT)
    throw new MetadataError(
      `the attribute ${name} has ${text.length} characters; lists of names may have ${MAX_NAMES_TEXT}`,
    );
  return text.split(/\s+/).filter((part) => part !== '');
}
