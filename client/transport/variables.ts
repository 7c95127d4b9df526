/** Variables of datasets: those of one dataset that are cut in one way travel as one request. */
import { RequestError } from '../errors.js';
import { DatasetSlicesDocument } from '../generated/operations.js';
import type { NamedDimSelection, Selection } from '../generated/operations.js';
import { isList, isRecord } from '../json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import type { WireFormat } from '../options.js';
import type { LoadMany } from './batch.js';
import type { Send } from './http.js';
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
  return async (questions, signal) => {
    const [first] = questions;
    if (first === undefined) return [];
    const { store, path, selects, select, decode, coordinates } = first;
    const names = [...new Set(questions.map(({ name }) => name))];
    const cuts = selects.length === 0 ? [[]] : selects;
    const named = Object.fromEntries(cuts.map((cut, i) => [variableName(i), cut]));
    const variables = { store, path, names, select, decode, coordinates, ...named };
    const query = nestedDocument(cuts.length);
    const result = await send({ query, variables, accept: format === 'json' ? 'json' : 'values' }, signal);
    const answers = parseVariables(result, names, cuts.length);
    return questions.map(({ name }) => parseSlice(answers(name), result.native ? 'native' : 'lists'));
  };
}

function variableName(i: number): string {
  return i === 0 ? 'named' : `named${i}`;
}

/** The document with as many selections, one in the other: how deep it goes is not known before. */
export function nestedDocument(depth: number): string {
  const names = Array.from({ length: depth }, (_, i) => variableName(i));
  const nested = names.reduceRight(
    (inner, name) => `select(named: $${name}) { ${inner} }`,
    '...CutVariables',
  );
  return DatasetSlicesDocument.text
    .replace(/select\(named: \$named\) \{\s*\.\.\.CutVariables\s*\}/, () => nested)
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
