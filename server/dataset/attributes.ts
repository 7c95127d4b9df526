/** Attributes of datasets and variables: those visible to users, and those that conventions define. */
import { type JsonObject, type JsonValue, MetadataError } from '../zarr/index.js';

/** Attributes for the internal use of libraries: names of dimensions, and attributes of NetCDF and NCZarr. */
function isBookkeeping(name: string): boolean {
  return name === '_ARRAY_DIMENSIONS' || /^_(nc|netcdf4)/i.test(name);
}

/** Removes internal attributes. The result has no prototype, because attribute names are untrusted. */
export function visibleAttributes(attributes: JsonObject): JsonObject {
  return withoutNames(attributes, isBookkeeping);
}

export function withoutNames(attributes: JsonObject, isHidden: (name: string) => boolean): JsonObject {
  const visible: Record<string, JsonValue> = { __proto__: null };
  for (const [name, value] of Object.entries(attributes)) if (!isHidden(name)) visible[name] = value;
  return visible;
}

/** A text attribute; undefined for any other value. */
export function textAttribute(attributes: JsonObject, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' ? value : undefined;
}

/** Maximum characters of an attribute that lists names: a thousand names have about 30,000. */
const MAX_NAMES_TEXT = 2 ** 17;

/**
 * The names in an attribute such as `coordinates`: text separated by blanks (CF, section 5).
 * @throws MetadataError if the text is too long
 */
export function namesInAttribute(attributes: JsonObject, name: string): string[] {
  const text = textAttribute(attributes, name) ?? '';
  if (text.length > MAX_NAMES_TEXT)
    throw new MetadataError(
      `the attribute ${name} has ${text.length} characters; lists of names may have at most ${MAX_NAMES_TEXT}`,
    );
  return text.split(/\s+/).filter((part) => part !== '');
}
