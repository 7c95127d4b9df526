/** Parses HTTP responses as GraphQL results (GraphQL over HTTP, section 6.4), and slices in any encoding. */
import { defined } from '../../wire/guards.js';
import { decodeBase64 } from '../../wire/base64.js';
import { errorCodes } from '../../wire/error-codes.js';
import {
  GatewayError,
  TransportError,
  type GatewayErrorCode,
  type TransportErrorCode,
  ZarrqlError,
  rejectMalformed,
} from '../errors.js';
import { isList, isRecord, namedRecord } from '../json/json.js';
import { parseDataType, parseNumpyDescr } from '../ndarray/data-type.js';
import { createFromBytes } from '../ndarray/from-bytes.js';
import { createFromJson } from '../ndarray/from-items.js';
import { createFromNative } from '../ndarray/from-native.js';
import { objectsOf } from '../ndarray/layout.js';
import type { AnyNDArray, Coordinates, Coordinate } from '../ndarray/ndarray.js';
import { parseValueShape, sizeOf, listShape } from '../ndarray/shape.js';
import { tooLarge, decodeCborBody } from './body.js';

export interface GraphQLResult {
  /** Undefined if nothing was executed. */
  readonly data: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors: readonly GatewayError[];
  /** Whether values are binary, from CBOR or from this process. */
  readonly native: boolean;
}

export interface ResponseHead {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfterMs: number | undefined;
}

/** Limit on the memory of a parsed response, as a multiple of `maxResponseBytes`. */
const HEAP_FACTOR = 8;

/**
 * @throws TransportError HTTP or BAD_RESPONSE unless the response is a GraphQL result, TOO_LARGE if its values would
 * take too much memory or it has too many errors
 */
export function parseResponse(
  bytes: Uint8Array<ArrayBuffer>,
  head: ResponseHead,
  maxBytes: number,
): GraphQLResult {
  const succeeded = head.status >= 200 && head.status < 300;
  const native = /^application\/(vnd\.zarrql\+)?cbor\s*(;|$)/i.test(head.contentType);
  if (!native && jsonHeapBytes(bytes) > HEAP_FACTOR * maxBytes)
    throw tooLarge("the gateway's response, once parsed,", HEAP_FACTOR * maxBytes);
  const text = native ? '' : new TextDecoder().decode(bytes);
  const body = native ? decodeCborBody(bytes, HEAP_FACTOR * maxBytes) : parseJson(text);
  if (!isRecord(body) || (!isList(body['errors']) && !isRecord(body['data']))) {
    if (!succeeded) throw failure('HTTP', `HTTP status ${head.status}`, text, head);
    const contentType = head.contentType === '' ? 'no content type' : head.contentType;
    throw failure(
      'BAD_RESPONSE',
      `the response is not a GraphQL result (${contentType}); check the URL`,
      text,
      head,
    );
  }
  const errors = parseErrors(body['errors'], head.status);
  const { data } = body;
  if (data !== undefined && data !== null && !isRecord(data))
    throw failure('BAD_RESPONSE', 'malformed response: data is not an object', text, head);
  if (errors.length === 0 && !succeeded) throw failure('HTTP', `HTTP status ${head.status}`, text, head);
  return { data, errors, native };
}

/** Smaller responses, in bytes, are not checked. */
const MIN_CHECKED_BYTES = 2 ** 20;
/** Minimum memory of a value in bytes, by the character that starts or separates it. */
const heapCosts = new Uint8Array(256);
heapCosts[0x2c] = 16; // ,
heapCosts[0x3a] = 64; // :
heapCosts[0x5b] = 64; // [
heapCosts[0x7b] = 64; // {

/** Estimates the memory of parsed JSON, because three characters may be an object. */
function jsonHeapBytes(bytes: Uint8Array): number {
  if (bytes.length < MIN_CHECKED_BYTES) return 0;
  let sum = 0;
  for (const byte of bytes) sum += defined(heapCosts[byte]);
  return sum;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Maximum number of errors, because each becomes an Error with a stack of about 1 kB. */
const MAX_ERRORS = 10_000;

function parseErrors(errors: unknown, status: number): GatewayError[] {
  if (!isList(errors)) return [];
  if (errors.length > MAX_ERRORS)
    throw new TransportError(
      'TOO_LARGE',
      `the response has ${errors.length} errors; at most ${MAX_ERRORS} are supported; request fewer fields per call`,
      { status },
    );
  return errors.map((error) => parseError(error, status));
}

/** Parses a GraphQL error (section 7.1.2), from an HTTP response or from a gateway in this process. */
export function parseError(error: unknown, status: number | undefined): GatewayError {
  const fields = isRecord(error) ? error : {};
  const extensions = isRecord(fields['extensions']) ? fields['extensions'] : {};
  const message =
    typeof fields['message'] === 'string' ? fields['message'] : 'no error message in the response';
  return new GatewayError(message, {
    code: parseCode(extensions['code'], status),
    fieldPath: isList(fields['path']) ? fields['path'].filter(isPathPart) : undefined,
    extensions,
    status,
  });
}

function parseCode(code: unknown, status: number | undefined): GatewayErrorCode {
  const known = errorCodes.find((name) => name === code);
  if (known !== undefined) return known;
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 413) return 'LIMIT_EXCEEDED';
  return status === 400 ? 'BAD_INPUT' : 'UNKNOWN';
}

function isPathPart(part: unknown): part is string | number {
  return typeof part === 'string' || typeof part === 'number';
}

function failure(
  code: TransportErrorCode,
  message: string,
  text: string,
  head: ResponseHead,
): TransportError {
  const start = text.slice(0, 120).replace(/\s+/g, ' ').trim();
  return new TransportError(code, start === '' ? message : `${message}: ${start}`, {
    status: head.status,
    retryAfterMs: head.retryAfterMs,
  });
}

// Parses one slice of a response in any encoding.

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
