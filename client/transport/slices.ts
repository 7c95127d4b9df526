/**
 * How values travel: now as base64, which is exact, and types of variable length as lists. The one module that knows;
 * another form of transport gives another {@link FetchSlices}.
 */
import { RequestError, TransportError, ZarrqlError } from '../errors.js';
import type { GatewayError } from '../errors.js';
import { SlicesBase64Document, SlicesValuesDocument } from '../generated/operations.js';
import type { SliceRequest } from '../generated/operations.js';
import { isList, isRecord } from '../json.js';
import type { VariableName } from '../ndarray/layout.js';
import { createFromBytes } from '../ndarray/from-bytes.js';
import { createFromLists } from '../ndarray/from-lists.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { parseNumpyDescr } from '../ndarray/numpy-descr.js';
import { parseShape, sizeOf } from '../ndarray/shape.js';
import { decodeBase64 } from './base64.js';
import type { Send } from './http.js';
import type { GraphQLResult } from './response.js';

/** One outcome a request, in their order. Rejects only where the whole request failed. */
export type FetchSlices = (
  requests: readonly SliceRequest[],
  signal: AbortSignal,
) => Promise<readonly (AnyNDArray | ZarrqlError)[]>;

export function createBase64Slices(send: Send): FetchSlices {
  return async (requests, signal) => {
    const variables = { requests };
    const answer = parseSlices(await send({ query: SlicesBase64Document.text, variables }, signal), requests);
    const outcomes = answer.map(({ slice, error }) => settle(() => parseBase64Slice(slice, error)));
    const listed = answer.flatMap(({ slice, error }, i) => (isListed(slice, error) ? [i] : []));
    if (listed.length === 0) return outcomes;
    const again = requests.filter((_, i) => listed.includes(i));
    const second = { query: SlicesValuesDocument.text, variables: { requests: again } };
    const lists = parseSlices(await send(second, signal), again);
    lists.forEach(({ slice, error }, at) => {
      const i = listed[at];
      if (i !== undefined) outcomes[i] = settle(() => parseListedSlice(slice, error));
    });
    return outcomes;
  };
}

interface SliceAnswer {
  readonly slice: Readonly<Record<string, unknown>> | undefined;
  readonly error: GatewayError | undefined;
}

/** @throws RequestError where nothing was answered */
function parseSlices(result: GraphQLResult, requests: readonly SliceRequest[]): readonly SliceAnswer[] {
  const slices = result.data?.['slices'];
  const [first, ...others] = result.errors;
  if (!isList(slices)) {
    if (first !== undefined) throw new RequestError([first, ...others], result.data);
    throw malformed('no list of slices');
  }
  if (slices.length !== requests.length)
    throw malformed(`${slices.length} slices for ${requests.length} requests`);
  return slices.map((slice, i) => ({
    slice: isRecord(slice) ? slice : undefined,
    error: result.errors.find((error) => error.fieldPath?.[0] === 'slices' && error.fieldPath[1] === i),
  }));
}

/** No base64 form, and it is the data type's length that is why. */
function isListed(slice: SliceAnswer['slice'], error: GatewayError | undefined): boolean {
  return (
    error?.code === 'UNSUPPORTED' && error.fieldPath?.[2] === 'base64' && variableName(slice) !== undefined
  );
}

function variableName(slice: SliceAnswer['slice']): VariableName | undefined {
  const dtype = slice?.['dtype'];
  if (!isRecord(dtype) || dtype['itemSize'] !== null) return undefined;
  if (dtype['kind'] === 'STRING') return 'string';
  if (dtype['kind'] === 'BYTES') return 'variable_length_bytes';
  return dtype['kind'] === 'OBJECT' ? 'json' : undefined;
}

function parseBase64Slice(slice: SliceAnswer['slice'], error: GatewayError | undefined): AnyNDArray {
  const base64 = slice?.['base64'];
  if (error !== undefined) throw error;
  if (slice === undefined || !isRecord(base64)) throw malformed('a slice without values');
  const { dtype, data } = base64;
  if (typeof dtype !== 'string' || typeof data !== 'string')
    throw malformed('values that are no Base64Array');
  const parsed = parseNumpyDescr(dtype);
  const layout =
    parsed.name === 'raw_bytes' && isRawBits(slice['dtype'])
      ? { ...parsed, name: 'raw_bits' as const }
      : parsed;
  const shape = parseShape(parseSizes(base64['shape']));
  const bytes = decodeBase64(data, sizeOf(shape) * layout.itemSize);
  return createFromBytes({ layout, shape, dimensions: parseDimensions(slice['dimensions']), bytes });
}

/** NumPy writes both `|V2`; the name tells v3's `r16` apart. */
function isRawBits(dtype: unknown): boolean {
  return isRecord(dtype) && typeof dtype['name'] === 'string' && /^r\d+$/.test(dtype['name']);
}

function parseListedSlice(slice: SliceAnswer['slice'], error: GatewayError | undefined): AnyNDArray {
  const name = variableName(slice);
  if (error !== undefined) throw error;
  if (slice === undefined || name === undefined) throw malformed('a slice without values');
  const shape = parseShape(parseSizes(slice['shape']));
  return createFromLists({
    name,
    shape,
    dimensions: parseDimensions(slice['dimensions']),
    values: slice['values'],
  });
}

function parseSizes(shape: unknown): readonly (number | string)[] {
  if (isList(shape) && shape.every((size) => typeof size === 'number' || typeof size === 'string'))
    return shape;
  throw malformed('a slice without a shape');
}

function parseDimensions(dimensions: unknown): (string | null)[] {
  if (!isList(dimensions)) return [];
  return dimensions.map((dim) => (isRecord(dim) && typeof dim['name'] === 'string' ? dim['name'] : null));
}

function settle(parse: () => AnyNDArray): AnyNDArray | ZarrqlError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ZarrqlError) return error;
    throw error;
  }
}

function malformed(what: string): TransportError {
  return new TransportError('BAD_RESPONSE', `the gateway answered with ${what}`);
}
