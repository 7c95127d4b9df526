/** One slice as the gateway answers it, in each of the forms in which values travel. */
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
import { readAnswer } from './read-answer.js';
import { parseCoordinates } from './coordinates.js';

export interface SliceAnswer {
  readonly slice: Readonly<Record<string, unknown>> | undefined;
  /** Those of this slice and its fields. */
  readonly errors: readonly GatewayError[];
  /** How many steps of an error's path lead to the slice. */
  readonly depth: number;
}

/** `native` as CBOR brings them or the process has them. */
export type ValueForm = 'native' | 'base64' | 'lists';

/** What is wrong with the slice is returned, so that it is nobody else's. */
export function parseSlice(answer: SliceAnswer, form: ValueForm): AnyNDArray | ZarrqlError {
  try {
    return readAnswer(() => parseChecked(answer, form));
  } catch (error) {
    if (error instanceof ZarrqlError) return error;
    throw error;
  }
}

function parseChecked({ slice, errors, depth }: SliceAnswer, form: ValueForm): AnyNDArray {
  // Coordinates that cannot be had leave the values as they are.
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

/** Its own description of the type says how the bytes lie. */
function parseBase64({ slice, dimensions, coordinates }: SliceBlock): AnyNDArray {
  const { base64 } = slice;
  if (!isRecord(base64)) throw malformed('a slice without values');
  const { dtype, data } = base64;
  if (typeof dtype !== 'string' || typeof data !== 'string')
    throw malformed('values that are no Base64Array');
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

/** NumPy writes both `|V2`; the name tells v3's `r16` apart. */
function isRawBits(dtype: unknown): boolean {
  return isRecord(dtype) && typeof dtype['name'] === 'string' && /^r\d+$/.test(dtype['name']);
}

function parseDimensions(dimensions: unknown): (string | null)[] {
  if (!isList(dimensions)) return [];
  return dimensions.map((dim) => (isRecord(dim) && typeof dim['name'] === 'string' ? dim['name'] : null));
}

function malformed(what: string): TransportError {
  return new TransportError('BAD_RESPONSE', `the gateway answered with ${what}`);
}
