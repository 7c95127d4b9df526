/** `Query.slices` by one fixed document: many slices of many arrays. */
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
import { parseSlice } from './slice-answer.js';
import type { SliceAnswer, ValueForm } from './slice-answer.js';

/** One slice, and whether its coordinates are wanted. */
export interface SliceQuestion {
  readonly request: SliceRequest;
  readonly coordinates: boolean;
  /** Travels in a request of its own. */
  readonly alone?: boolean | undefined;
}

/** Which questions may travel together. */
export function groupOfSlice({ coordinates, alone }: SliceQuestion): string | undefined {
  return alone === true ? undefined : String(coordinates);
}

/** Questions of one batch agree on `coordinates`. */
export function createSliceLoader(send: Send, format: WireFormat): LoadMany<SliceQuestion, AnyNDArray> {
  let native = format !== 'json';
  const ask = async (
    document: { readonly text: string },
    questions: readonly SliceQuestion[],
    signal: AbortSignal,
  ) => {
    const coordinates = questions[0]?.coordinates ?? false;
    const variables = { requests: questions.map(({ request }) => request), coordinates };
    const accept = native && document === SlicesDocument ? 'values' : 'json';
    const result = await send({ query: document.text, variables, accept }, signal);
    return { native: result.native, slices: parseSlices(result, questions.length) };
  };
  return async (questions, signal) => {
    const askBase64 = (some: readonly SliceQuestion[]) => ask(SlicesBase64Document, some, signal);
    if (native) {
      const answer = await ask(SlicesDocument, questions, signal);
      if (answer.native) return completeStructs(answer.slices, questions, askBase64);
      if (format === 'cbor') throw malformed('JSON, where CBOR was asked for');
      native = false;
    }
    const { slices } = await askBase64(questions);
    return completeLists(slices, questions, (again) => ask(SlicesDocument, again, signal));
  };
}

type AskAgain = (some: readonly SliceQuestion[]) => Promise<{ readonly slices: readonly SliceAnswer[] }>;

/** Types of variable length have no base64 form: those slices are asked for again, as lists. */
async function completeLists(
  slices: readonly SliceAnswer[],
  questions: readonly SliceQuestion[],
  ask: AskAgain,
): Promise<(AnyNDArray | ZarrqlError)[]> {
  const outcomes = slices.map((slice) => parseSlice(slice, 'base64'));
  const listed = slices.map((slice) => isListed(slice));
  return askAgain(outcomes, questions, listed, ask, 'lists');
}

/** Base64 describes structs however deep; the document asks for the types of a few levels. */
async function completeStructs(
  slices: readonly SliceAnswer[],
  questions: readonly SliceQuestion[],
  ask: AskAgain,
): Promise<(AnyNDArray | ZarrqlError)[]> {
  const deep = slices.map(({ slice }) => isCutOff(slice?.['dtype']));
  const outcomes = slices.map((slice, i) => (deep[i] === true ? tooDeep() : parseSlice(slice, 'native')));
  return askAgain(outcomes, questions, deep, ask, 'base64');
}

async function askAgain(
  outcomes: (AnyNDArray | ZarrqlError)[],
  questions: readonly SliceQuestion[],
  which: readonly boolean[],
  ask: AskAgain,
  form: ValueForm,
): Promise<(AnyNDArray | ZarrqlError)[]> {
  const places = which.flatMap((again, i) => (again ? [i] : []));
  if (places.length === 0) return outcomes;
  const { slices } = await ask(questions.filter((_, i) => which[i]));
  slices.forEach((slice, at) => {
    const i = places[at];
    if (i !== undefined) outcomes[i] = parseSlice(slice, form);
  });
  return outcomes;
}

/** A struct whose fields, or those of a field, were not asked for. */
function isCutOff(dtype: unknown): boolean {
  if (!isRecord(dtype) || dtype['kind'] !== 'STRUCT') return false;
  const { fields } = dtype;
  return !isList(fields) || fields.some((field) => isRecord(field) && isCutOff(field['dtype']));
}

function tooDeep(): ZarrqlError {
  return malformed('a struct nested more deeply than was asked for');
}

/** It is the data type's length that is why there is no base64. */
function isListed({ slice, errors }: SliceAnswer): boolean {
  const dtype = slice?.['dtype'];
  const variable = isRecord(dtype) && dtype['itemSize'] === null && dtype['kind'] !== 'UNKNOWN';
  return (
    variable && errors.some(({ code, fieldPath }) => code === 'UNSUPPORTED' && fieldPath?.[2] === 'base64')
  );
}

/** @throws RequestError where nothing was answered */
function parseSlices(result: GraphQLResult, count: number): readonly SliceAnswer[] {
  const slices = result.data?.['slices'];
  const [first, ...others] = result.errors;
  if (!isList(slices)) {
    if (first !== undefined) throw new RequestError([first, ...others], result.data);
    throw malformed('no list of slices');
  }
  if (slices.length !== count) throw malformed(`${slices.length} slices for ${count} requests`);
  return slices.map((slice, i) => ({
    slice: isRecord(slice) ? slice : undefined,
    errors: result.errors.filter(({ fieldPath }) => fieldPath?.[0] === 'slices' && fieldPath[1] === i),
    depth: 2,
  }));
}

function malformed(what: string): TransportError {
  return new TransportError('BAD_RESPONSE', `the gateway answered with ${what}`);
}
