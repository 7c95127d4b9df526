/** Loads variables of datasets. Variables with the same dataset and selection share a request. */
import { RequestError } from '../errors.js';
import {
  DatasetSlicesBase64Document,
  DatasetSlicesDocument,
  type NamedDimSelection,
  type Selection,
} from '../generated/operations.js';
import { isList, isRecord } from '../json/json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import type { WireFormat } from '../options.js';
import type { LoadMany } from './batch.js';
import type { GraphQLRequest, Send } from './http.js';
import type { GraphQLResult } from './response.js';
import { parseSlice, type SliceResponse } from './parse-slice.js';
import { malformedResponse } from './slices.js';

export interface VariableParams {
  readonly store: string;
  /** Path of the group. */
  readonly path: string;
  /** Selections, each applied to the result of the previous one. */
  readonly selects: readonly (readonly NamedDimSelection[])[];
  readonly name: string;
  readonly select: Selection | null;
  readonly decode: boolean;
  readonly coordinates: boolean;
}

export function groupOfVariable({ name: _, ...group }: VariableParams): string {
  return JSON.stringify(group);
}

/** Requests of a batch differ only in `name`. */
export function createVariableLoader(send: Send, format: WireFormat): LoadMany<VariableParams, AnyNDArray> {
  let native = format !== 'json';
  return async (items, signal) => {
    const [first] = items;
    if (first === undefined) return [];
    const { store, path, selects, select, decode, coordinates } = first;
    const cuts = selects.length === 0 ? [[]] : selects;
    const named = Object.fromEntries(cuts.map((cut, i) => [variableName(i), cut]));
    const fetchVariables = async (
      document: { readonly text: string },
      names: readonly string[],
      accept: GraphQLRequest['accept'],
    ) => {
      const query = nestedDocument(document.text, cuts.length);
      const variables = { store, path, names, select, decode, coordinates, ...named };
      const result = await send({ query, variables, accept }, signal);
      return { native: result.native, responseOf: parseVariables(result, names, cuts.length) };
    };
    const names = [...new Set(items.map(({ name }) => name))];
    if (native) {
      const result = await fetchVariables(DatasetSlicesDocument, names, 'values');
      if (result.native) return items.map(({ name }) => parseSlice(result.responseOf(name), 'native'));
      if (format === 'cbor') throw malformedResponse('JSON instead of CBOR');
      native = false;
    }
    const { responseOf } = await fetchVariables(DatasetSlicesBase64Document, names, 'json');
    const listed = names.filter((name) => hasNoBase64(responseOf(name)));
    const lists =
      listed.length === 0 ? undefined : await fetchVariables(DatasetSlicesDocument, listed, 'json');
    return items.map(({ name }) =>
      lists !== undefined && listed.includes(name)
        ? parseSlice(lists.responseOf(name), 'lists')
        : parseSlice(responseOf(name), 'base64'),
    );
  };
}

/** Whether the values must be requested as lists: types of variable length, and missing values in types without NaN. */
function hasNoBase64({ errors, depth }: SliceResponse): boolean {
  return errors.some(({ code, fieldPath }) => code === 'UNSUPPORTED' && fieldPath?.[depth] === 'base64');
}

function variableName(i: number): string {
  return i === 0 ? 'named' : `named${i}`;
}

/** Nests the selections of a document to the given depth, because GraphQL variables cannot represent it. */
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

/** @throws RequestError if the whole request failed */
function parseVariables(
  result: GraphQLResult,
  names: readonly string[],
  cuts: number,
): (name: string) => SliceResponse {
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
    const index = variables.findIndex((variable) => isRecord(variable) && variable['name'] === name);
    // A failed variable is null in the list.
    const position = index >= 0 ? index : names.indexOf(name);
    const variable = variables[position];
    const slice = isRecord(variable) ? variable['slice'] : undefined;
    return {
      slice: isRecord(slice) ? slice : undefined,
      errors: result.errors.filter(({ fieldPath }) => fieldPath?.[path.length] === position),
      depth: path.length + 2,
    };
  };
}
