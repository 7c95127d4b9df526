/** Variables of datasets: those of one dataset that are cut in one way travel as one request. */
import { RequestError, TransportError } from '../errors.js';
import { DatasetSlicesBase64Document, DatasetSlicesDocument } from '../generated/operations.js';
import type { NamedDimSelection, Selection } from '../generated/operations.js';
import { isList, isRecord } from '../json/json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import type { WireFormat } from '../options.js';
import type { LoadMany } from './batch.js';
import type { GraphQLRequest, Send } from './http.js';
import type { GraphQLResult } from './response.js';
import { parseSlice } from './slice-answer.js';
import type { SliceAnswer } from './slice-answer.js';

export interface VariableQuestion {
  readonly store: string;
  /** Of the dataset's group. */
  readonly path: string;
  /** One after the other, each of what the one before left. */
  readonly selects: readonly (readonly NamedDimSelection[])[];
  readonly name: string;
  readonly select: Selection | null;
  readonly decode: boolean;
  readonly coordinates: boolean;
}

export function groupOfVariable({ name: _, ...group }: VariableQuestion): string {
  return JSON.stringify(group);
}

/** Questions of one batch differ in `name` alone. */
export function createVariableLoader(send: Send, format: WireFormat): LoadMany<VariableQuestion, AnyNDArray> {
  let native = format !== 'json';
  return async (questions, signal) => {
    const [first] = questions;
    if (first === undefined) return [];
    const { store, path, selects, select, decode, coordinates } = first;
    const cuts = selects.length === 0 ? [[]] : selects;
    const named = Object.fromEntries(cuts.map((cut, i) => [variableName(i), cut]));
    const ask = async (
      document: { readonly text: string },
      names: readonly string[],
      accept: GraphQLRequest['accept'],
    ) => {
      const query = nestedDocument(document.text, cuts.length);
      const variables = { store, path, names, select, decode, coordinates, ...named };
      const result = await send({ query, variables, accept }, signal);
      return { native: result.native, answerOf: parseVariables(result, names, cuts.length) };
    };
    const names = [...new Set(questions.map(({ name }) => name))];
    if (native) {
      const answered = await ask(DatasetSlicesDocument, names, 'values');
      if (answered.native) return questions.map(({ name }) => parseSlice(answered.answerOf(name), 'native'));
      if (format === 'cbor')
        throw new TransportError('BAD_RESPONSE', 'the gateway answered with JSON, where CBOR was asked for');
      native = false;
    }
    const { answerOf } = await ask(DatasetSlicesBase64Document, names, 'json');
    const listed = names.filter((name) => hasNoBase64(answerOf(name)));
    const lists = listed.length === 0 ? undefined : await ask(DatasetSlicesDocument, listed, 'json');
    return questions.map(({ name }) =>
      lists !== undefined && listed.includes(name)
        ? parseSlice(lists.answerOf(name), 'lists')
        : parseSlice(answerOf(name), 'base64'),
    );
  };
}

/** Types of variable length, and values with gaps in types that have none: those travel as lists. */
function hasNoBase64({ errors, depth }: SliceAnswer): boolean {
  return errors.some(({ code, fieldPath }) => code === 'UNSUPPORTED' && fieldPath?.[depth] === 'base64');
}

function variableName(i: number): string {
  return i === 0 ? 'named' : `named${i}`;
}

/** The document with as many selections, one in the other: how deep it goes is not known before. */
export function nestedDocument(text: string, depth: number): string {
  const names = Array.from({ length: depth }, (_, i) => variableName(i));
  return text
    .replace(/select\(named: \$named\) \{\s*(\.\.\.\w+)\s*\}/, (_, spread: string) =>
      names.reduceRight((inner, name) => `select(named: $${name}) { ${inner} }`, spread),
    )
    .replace('$named: [NamedDimSelection!]!', () =>
      names.map((name) => `$${name}: [NamedDimSelection!]!`).join(' '),
    );
}

/** @throws RequestError where nothing was answered */
function parseVariables(
  result: GraphQLResult,
  names: readonly string[],
  cuts: number,
): (name: string) => SliceAnswer {
  const path = ['store', 'dataset', ...Array<string>(cuts).fill('select'), 'variables'];
  let list: unknown = result.data;
  for (const step of path) list = isRecord(list) ? list[step] : undefined;
  const [first, ...others] = result.errors;
  if (!isList(list)) {
    if (first !== undefined) throw new RequestError([first, ...others], result.data);
    list = [];
  }
  const variables: readonly unknown[] = isList(list) ? list : [];
  return (name) => {
    const found = variables.findIndex((variable) => isRecord(variable) && variable['name'] === name);
    // One that cannot be had is null in its place.
    const place = found >= 0 ? found : names.indexOf(name);
    const variable = variables[place];
    const slice = isRecord(variable) ? variable['slice'] : undefined;
    return {
      slice: isRecord(slice) ? slice : undefined,
      errors: result.errors.filter(({ fieldPath }) => fieldPath?.[path.length] === place),
      depth: path.length + 2,
    };
  };
}
