/** Loads batches of slices and of variables. */
import { RequestError, TransportError, type ZarrqlError } from '../errors.js';
import { type SliceRequest, SlicesBase64Document, SlicesDocument } from '../generated/operations.js';
import { isList, isRecord } from '../json/json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import type { WireFormat } from '../options.js';
import type { LoadMany, LoadParts } from './batch.js';
import type { SendInParts } from './parts.js';
import type { Send } from './http.js';
import type { GraphQLResult } from './response.js';
import { parseSlice, type SliceResponse, type ValueForm } from './parse-slice.js';

/** One slice to load. */
export interface SliceParams {
  readonly request: SliceRequest;
  readonly coordinates: boolean;
  /** Whether the slice is sent in a separate request. */
  readonly alone?: boolean | undefined;
}

/** Only slices with the same group share a request. */
export function groupOfSlice({ coordinates, alone }: SliceParams): string | undefined {
  return alone === true ? undefined : String(coordinates);
}

/** All slices of a batch have the same `coordinates`. */
export function createSliceLoader(send: Send, format: WireFormat): LoadMany<SliceParams, AnyNDArray> {
  let native = format !== 'json';
  const fetchSlices = async (
    document: { readonly text: string },
    params: readonly SliceParams[],
    signal: AbortSignal,
  ) => {
    const coordinates = params[0]?.coordinates ?? false;
    const variables = { requests: params.map(({ request }) => request), coordinates };
    const accept = native && document === SlicesDocument ? 'values' : 'json';
    const result = await send({ query: document.text, variables, accept }, signal);
    return { native: result.native, slices: parseSlices(result, params.length) };
  };
  return async (params, signal) => {
    const fetchBase64 = (some: readonly SliceParams[]) => fetchSlices(SlicesBase64Document, some, signal);
    if (native) {
      const response = await fetchSlices(SlicesDocument, params, signal);
      if (response.native) return completeStructs(response.slices, params, fetchBase64);
      if (format === 'cbor') throw malformedResponse('JSON instead of CBOR');
      native = false;
    }
    const { slices } = await fetchBase64(params);
    return completeLists(slices, params, (again) => fetchSlices(SlicesDocument, again, signal));
  };
}

/** Omits slices whose struct type is nested deeper than the document selects, and those without an encoding in CBOR. */
export function createSlicePartsLoader(sendInParts: SendInParts): LoadParts<SliceParams, AnyNDArray> {
  const { text } = SlicesDocument;
  const fragments = text.slice(text.indexOf('fragment '));
  return async (params, signal, receive) => {
    const declared = params.map((_, i) => `$requests${i}: [SliceRequest!]!`).join(' ');
    const fields = params.map(
      (_, i) => `... @defer { s${i}: slices(requests: $requests${i}) { ...SliceFields values } }`,
    );
    const query = `query Slices($coordinates: Boolean! ${declared}) { ${fields.join(' ')} }\n${fragments}`;
    const requests = params.map(({ request }, i) => [`requests${i}`, [request]] as const);
    const variables = {
      coordinates: params[0]?.coordinates ?? false,
      ...Object.fromEntries(requests),
    };
    await sendInParts({ query, variables }, signal, (alias, { data, errors, native }) => {
      const list = data?.[alias];
      const slice: unknown = isList(list) ? list[0] : undefined;
      if (!native || (isRecord(slice) && isCutOff(slice['dtype']))) return;
      const response = { slice: isRecord(slice) ? slice : undefined, errors, depth: 2 };
      receive(Number(alias.slice(1)), parseSlice(response, 'native'));
    });
  };
}

type FetchSlices = (some: readonly SliceParams[]) => Promise<{ readonly slices: readonly SliceResponse[] }>;

/** Requests slices of variable-length types again as lists, because they have no base64 form. */
async function completeLists(
  slices: readonly SliceResponse[],
  params: readonly SliceParams[],
  fetchSlices: FetchSlices,
): Promise<(AnyNDArray | ZarrqlError)[]> {
  const outcomes = slices.map((slice) => parseSlice(slice, 'base64'));
  const listed = slices.map((slice) => isListed(slice));
  return refetch(outcomes, params, listed, fetchSlices, 'lists');
}

/**
 * The document selects only a few levels of struct types. Deeper types are requested as base64, which describes any
 * depth.
 */
async function completeStructs(
  slices: readonly SliceResponse[],
  params: readonly SliceParams[],
  fetchSlices: FetchSlices,
): Promise<(AnyNDArray | ZarrqlError)[]> {
  const deep = slices.map(({ slice }) => isCutOff(slice?.['dtype']));
  const outcomes = slices.map((slice, i) => (deep[i] === true ? tooDeep() : parseSlice(slice, 'native')));
  return refetch(outcomes, params, deep, fetchSlices, 'base64');
}

async function refetch(
  outcomes: (AnyNDArray | ZarrqlError)[],
  params: readonly SliceParams[],
  which: readonly boolean[],
  fetchSlices: FetchSlices,
  form: ValueForm,
): Promise<(AnyNDArray | ZarrqlError)[]> {
  const positions = which.flatMap((again, i) => (again ? [i] : []));
  if (positions.length === 0) return outcomes;
  const { slices } = await fetchSlices(params.filter((_, i) => which[i]));
  slices.forEach((slice, at) => {
    const i = positions[at];
    if (i !== undefined) outcomes[i] = parseSlice(slice, form);
  });
  return outcomes;
}

/** Whether a struct type is incomplete because the document selects only a few levels. */
function isCutOff(dtype: unknown): boolean {
  if (!isRecord(dtype) || dtype['kind'] !== 'STRUCT') return false;
  const { fields } = dtype;
  return !isList(fields) || fields.some((field) => isRecord(field) && isCutOff(field['dtype']));
}

function tooDeep(): ZarrqlError {
  return malformedResponse('a struct type nested deeper than the document selects');
}

/** Whether base64 failed because the data type has variable length. */
function isListed({ slice, errors }: SliceResponse): boolean {
  const dtype = slice?.['dtype'];
  const variable = isRecord(dtype) && dtype['itemSize'] === null && dtype['kind'] !== 'UNKNOWN';
  return (
    variable && errors.some(({ code, fieldPath }) => code === 'UNSUPPORTED' && fieldPath?.[2] === 'base64')
  );
}

/** @throws RequestError if the whole request failed */
function parseSlices(result: GraphQLResult, count: number): readonly SliceResponse[] {
  const slices = result.data?.['slices'];
  const [first, ...others] = result.errors;
  if (!isList(slices)) {
    if (first !== undefined) throw new RequestError([first, ...others], result.data);
    throw malformedResponse('slices is not a list');
  }
  if (slices.length !== count) throw malformedResponse(`${slices.length} slices for ${count} requests`);
  return slices.map((slice, i) => ({
    slice: isRecord(slice) ? slice : undefined,
    errors: result.errors.filter(({ fieldPath }) => fieldPath?.[0] === 'slices' && fieldPath[1] === i),
    depth: 2,
  }));
}

export function malformedResponse(problem: string): TransportError {
  return new TransportError('BAD_RESPONSE', `malformed response: ${problem}`);
}
