/**
 * Attributes of datasets and variables: those visible to users, and those that conventions define. Bounds of a
 * time coordinate need not repeat its attributes (CF, section 7.1). Fill values as xarray writes them into
 * attributes in format 3: base64 of the bytes; floats of any type as float64.
 */
import {
  type JsonObject,
  type JsonValue,
  MetadataError,
  describeJson,
  UnsupportedError,
  parseBase64,
  isJsonList,
} from '../zarr/index.js';

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

/** Maximum length, in characters, of an attribute that lists names: a thousand names have about 30,000. */
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

const HINT = 'decode: false returns the stored values';

/** @param problem the reason, for example "expected a number" */
export function badAttribute(
  variable: string,
  attribute: string,
  value: JsonValue,
  problem: string,
): MetadataError {
  const shown = describeJson(value);
  return new MetadataError(
    `variable "${variable}" cannot be decoded: its attribute ${attribute} is ${shown}: ${problem} (${HINT})`,
  );
}

/** Creates the error for a value that the decoded type cannot represent. */
export function badValue(variable: string, problem: string): UnsupportedError {
  return new UnsupportedError(valueMessage(variable, problem));
}

export function valueMessage(variable: string, problem: string): string {
  return `variable "${variable}" cannot be decoded: ${problem} (${HINT})`;
}

/** Splits the message of an error at the value, and returns the text before and after the value. */
export function messageAround(variable: string, before: string, after: string): [string, string] {
  return [`variable "${variable}" cannot be decoded: ${before}`, `${after} (${HINT})`];
}

/** The items of a list; a single value as a list with one item. */
export function itemsOf(json: JsonValue): readonly JsonValue[] {
  return isJsonList(json) ? json : [json];
}

/** @returns undefined unless the text is the base64 of 8 bytes */
export function floatOfBase64(text: string): number | undefined {
  const bytes = parseBase64(text);
  return bytes?.length === 8 ? new DataView(bytes.buffer).getFloat64(0, true) : undefined;
}
