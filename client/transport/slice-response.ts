/** Parses one slice of a response in any encoding. */
import { decodeBase64 } from '../../wire/base64.js';
import { TransportError, ZarrqlError } from '../errors.js';
import type { GatewayError } from '../errors.js';
import { isList, isRecord } from '../json/json.js';
import { parseDataType } from '../ndarray/data-type.js';
import { createFromBytes } from '../ndarray/from-bytes.js';
import { createFromJson } from '../ndarray/from-json.js';
import { createFromNative } from '../ndarray/from-native.js';
import type { AnyNDArray, Coordinates } from '../ndarray/ndarray.js';
import { objectsOf } from '../ndarray/layout.js';
import { parseNumpyDescr } from '../ndarray/numpy-descr.js';
import { parseValueShape, sizeOf } from '../ndarray/shape.js';
import { rejectMalformed } from './reject-malformed.js';
import { parseCoordinates } from './coordinates.js';

export interface SliceResponse {
  readonly slice: Readonly<Record<string, unknown>> | undefined;
  /** Errors of this slice and its fields. */
  readonly errors: readonly GatewayError[];
  /** Number of path segments of an error that lead to the slice. */
  readonly depth: number;
}

/** Origin of the values. `native`: from CBOR or from this process. */
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

function parseChecked({ slice, errors, depth }: SliceResponse, form: ValueForm): AnyNDArray {
  // Failed coordinates do not affect the values.
  const error = errors.find(({ fieldPath }) => fieldPath?.[depth] !== 'coordinates');
  if (error !== undefined) throw error;
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

/** Base64Array describes the layout itself. */
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

/** NumPy's type string is `|V2` for raw bytes and raw bits alike; the name distinguishes v3's `r16`. */
function isRawBits(dtype: unknown): boolean {
  return isRecord(dtype) && typeof dtype['name'] === 'string' && /^r\d+$/.test(dtype['name']);
}

function parseDimensions(dimensions: unknown): (string | null)[] {
  if (!isList(dimensions)) return [];
  return dimensions.map((dim) => (isRecord(dim) && typeof dim['name'] === 'string' ? dim['name'] : null));
}

function malformed(what: string): TransportError {
  return new TransportError('BAD_RESPONSE', `malformed response: ${what}`);
}
