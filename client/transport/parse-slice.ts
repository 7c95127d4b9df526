/** Parses one slice of a response in any encoding. */
import { decodeBase64 } from '../../wire/base64.js';
import { GatewayError, rejectMalformed, TransportError, ZarrqlError } from '../errors.js';
import { isList, isRecord, namedRecord } from '../json/json.js';
import { parseDataType } from '../ndarray/data-type.js';
import { parseNumpyDescr } from '../ndarray/parse-numpy-type.js';
import { createFromBytes } from '../ndarray/from-bytes.js';
import { createFromJson } from '../ndarray/from-items.js';
import { createFromNative } from '../ndarray/from-native.js';
import { objectsOf } from '../ndarray/layout.js';
import type { AnyNDArray, Coordinate, Coordinates } from '../ndarray/ndarray.js';
import { listShape, parseValueShape, sizeOf } from '../ndarray/shape.js';

export interface SliceResponse {
  readonly slice: Readonly<Record<string, unknown>> | undefined;
  /** Errors of this slice and its fields. */
  readonly errors: readonly GatewayError[];
  /** Number of path segments of an error that lead to the slice. */
  readonly depth: number;
}

/** Encoding of the values. `native`: CBOR, or values from a gateway in this process. */
export type ValueForm = 'native' | 'base64' | 'lists';

/** Returns errors instead of throwing, so that they affect only this slice. */
export function parseSlice(response: SliceResponse, form: ValueForm): AnyNDArray | ZarrqlError {
  try {
    return rejectMalformed(() => parseChecked(response, form));
  } catch (error) {
    if (error instanceof ZarrqlError) return error;
    throw error;
  }
}

/** Advice on labels in the spelling of selections of the SDK. */
export function inSdkWords(error: GatewayError): GatewayError {
  if (error.code !== 'BAD_SELECTION') return error;
  const message = error.message
    .replace('set method NEAREST to select', "set method: 'nearest' to select")
    .replace('requires method NEAREST, PAD or BACKFILL', "requires method: 'nearest', 'pad' or 'backfill'")
    .replace('but NEAREST requires numbers or dates; use EXACT, PAD or BACKFILL', "but 'nearest' requires numbers or dates; use 'exact', 'pad' or 'backfill'"); // prettier-ignore
  if (message === error.message) return error;
  const { code, fieldPath, extensions, status } = error;
  return new GatewayError(message, { code, fieldPath, extensions, status, cause: error });
}

function parseChecked({ slice, errors, depth }: SliceResponse, form: ValueForm): AnyNDArray {
  // Failed coordinates do not affect the values.
  const error = errors.find(({ fieldPath }) => fieldPath?.[depth] !== 'coordinates');
  if (error !== undefined) throw inSdkWords(error);
  if (slice === undefined) throw malformed('a slice without values');
  const dimensions = parseDimensions(slice['dimensions']);
  const coordinates = parseCoordinates(slice['coordinates'], form === 'native');
  const block = { slice, dimensions, coordinates };
  if (form === 'base64') return parseBase64(block);
  const values = slice['values'];
  if (values === undefined || (values === null && form === 'native'))
    throw malformed('a slice without values');
  const type = parseDataType(slice['dtype']);
  if (form === 'native') return createFromNative({ type, values, dimensions, coordinates });
  return createFromJson({
    type,
    shape: parseValueShape(slice['shape'], objectsOf(type.layout)),
    values,
    dimensions,
    coordinates,
  });
}

interface SliceBlock {
  readonly slice: Readonly<Record<string, unknown>>;
  readonly dimensions: readonly (string | null)[];
  readonly coordinates: Coordinates | undefined;
}

/** Uses the layout that the Base64Array states. */
function parseBase64({ slice, dimensions, coordinates }: SliceBlock): AnyNDArray {
  const { base64 } = slice;
  if (!isRecord(base64)) throw malformed('a slice without values');
  const { dtype, data } = base64;
  if (typeof dtype !== 'string' || typeof data !== 'string') throw malformed('a malformed Base64Array');
  const parsed = parseNumpyDescr(dtype);
  const layout =
    parsed.name === 'raw_bytes' && isRawBits(slice['dtype'])
      ? { ...parsed, name: 'raw_bits' as const }
      : parsed;
  const shape = parseValueShape(base64['shape'], objectsOf(layout));
  const byteLength = sizeOf(shape) * layout.itemSize;
  const bytes = decodeBase64(data, byteLength);
  if (bytes === undefined)
    throw malformed(`values that are not base64 of ${byteLength} bytes (${data.length} characters)`);
  return createFromBytes({ layout, shape, dimensions, bytes, coordinates });
}

/** NumPy's type string is `|V2` for raw bytes and for raw bits; the name distinguishes v3's `r16`. */
function isRawBits(dtype: unknown): boolean {
  return isRecord(dtype) && typeof dtype['name'] === 'string' && /^r\d+$/.test(dtype['name']);
}

function parseDimensions(dimensions: unknown): (string | null)[] {
  if (!isList(dimensions)) return [];
  return dimensions.map((dim) => (isRecord(dim) && typeof dim['name'] === 'string' ? dim['name'] : null));
}

function malformed(problem: string): TransportError {
  return new TransportError('BAD_RESPONSE', `malformed response: ${problem}`);
}

/**
 * Parses the coordinates of a slice; undefined if they were not requested. Coordinates whose values failed are omitted.
 * @throws TransportError BAD_RESPONSE
 */
function parseCoordinates(list: unknown, native: boolean): Coordinates | undefined {
  if (!isList(list)) return undefined;
  const coordinates = list.flatMap((each): (readonly [string, Coordinate])[] => {
    if (!isRecord(each) || typeof each['name'] !== 'string' || each['values'] === null) return [];
    const { name } = each;
    const dimensions = isList(each['dimensions']) ? each['dimensions'].map(textOf) : [];
    const [units, calendar] = [textOf(each['units']), textOf(each['calendar'])];
    return [[name, { name, dimensions, units, calendar, values: parseValues(each, dimensions, native) }]];
  });
  return namedRecord(coordinates);
}

function parseValues(
  coordinate: Readonly<Record<string, unknown>>,
  dimensions: readonly (string | null)[],
  native: boolean,
): AnyNDArray {
  const block = {
    type: parseDataType(coordinate['dtype']),
    values: coordinate['values'],
    dimensions,
  };
  if (native) return createFromNative(block);
  const shape = parseValueShape(listShape(block.values), objectsOf(block.type.layout));
  return createFromJson({ ...block, shape });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
