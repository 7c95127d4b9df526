/** Loads batches of slices with `Query.slices` and a fixed document. */
import { RequestError, TransportError } from '../errors.js';
import type { ZarrqlError } from '../errors.js';
import { SlicesBase64Document, SlicesDocument } from '../generated/operations.js';
import type { SliceRequest } from '../generated/operations.js';
import { isList, isRecord } from '../json/json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import type { WireFormat } from '../options.js';
import type { LoadMany } from './batch.js';
import type { Send } from './http.js';
import type { GraphQLResult } from './response.js';
import { parseSlice } from './slice-response.js';
import type { SliceResponse, ValueForm } from './slice-response.js';

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
  const ask = async (
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
    const askBase64 = (some: readonly SliceParams[]) => ask(SlicesBase64Document, some, signal);
    if (native) {
      const response = await ask(SlicesDocument, params, signal);
      if (response.native) return completeStructs(response.slices, params, askBase64);
      if (format === 'cbor') throw malformed('JSON instead of CBOR');
      native = false;
    }
    const { slices } = await askBase64(params);
    return completeLists(slices, params, (again) => ask(SlicesDocument, again, signal));
  };
}

type AskAgain = (some: readonly SliceParams[]) => Promise<{ readonly slices: readonly SliceResponse[] }>;

/** Variable-length types have no base64 form, so their slices are requested again as lists. */
async function completeLists(
  slices: readonly SliceResponse[],
  params: readonly SliceParams[],
  ask: AskAgain,
): Promise<(AnyNDArray | ZarrqlError)[]> {
  const outcomes = slices.map((slice) => parseSlice(slice, 'base64'));
  const listed = slices.map((slice) => isListed(slice));
  return askAgain(outcomes, params, listed, ask, 'lists');
}

/**
 * The document selects only a few levels of struct types. Deeper ones are requested as base64, which describes any
 * depth.
 */
async function completeStructs(
  slices: readonly SliceResponse[],
  params: readonly SliceParams[],
  ask: AskAgain,
): Promise<(AnyNDArray | ZarrqlError)[]> {
  const deep = slices.map(({ slice }) => isCutOff(slice?.['dtype']));
  const outcomes = slices.map((slice, i) => (deep[i] === true ? tooDeep() : parseSlice(slice, 'native')));
  return askAgain(outcomes, params, deep, ask, 'base64');
}

async function askAgain(
  outcomes: (AnyNDArray | ZarrqlError)[],
  params: readonly SliceParams[],
  which: readonly boolean[],
  ask: AskAgain,
  form: ValueForm,
): Promise<(AnyNDArray | ZarrqlError)[]> {
  const positions = which.flatMap((again, i) => (again ? [i] : []));
  if (positions.length === 0) return outcomes;
  const { slices } = await ask(params.filter((_, i) => which[i]));
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
  return malformed('a struct type nested deeper than the document selects');
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
    throw malformed('slices is not a list');
  }
  if (slices.length !== count) throw malformed(`${slices.length} slices for ${count} requests`);
  return slices.map((slice, i) => ({
    slice: isRecord(slice) ? slice : undefined,
    errors: result.errors.filter(({ fieldPath }) => fieldPath?.[0] === 'slices' && fieldPath[1] === i),
    depth: 2,
  }));
}

function malformed(what: string): TransportError {
  return new TransportError('BAD_RESPONSE', `malformed response: ${what}`);
}
