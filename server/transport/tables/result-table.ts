/**
 * The table of a GraphQL result, for clients that accept Arrow: each `values` outside of `coordinates` is a column, and
 * all of them have the same shape. `coordinates` of the same object are columns of labels.
 */
import { blockSlice, type JsonObject, InputError } from '../../zarr/index.js';
import { isList, isRecord } from '../../../wire/guards.js';
import type { ReadParts } from '../forms/form.js';
import type { LabelledSet, LabelledVariable } from '../labelled-set.js';
import { NDArrayValue } from '../nd-array-value.js';
import { arrowFile } from './arrow.js';
import type { BodyPiece } from '../time-sliced-body.js';

export const TABLE_MEDIA_TYPE = arrowFile.mediaType;

/** @throws InputError for a result that is no table */
export function resultTable(data: unknown): AsyncGenerator<BodyPiece> {
  return arrowFile.open(tableOf(data), {}).pieces(() => readBlocks);
}

const readBlocks: ReadParts = async function* read(slice) {
  const block = await slice.read({ readOnly: true });
  yield { block, from: 0, to: block.shape.reduce((product, size) => product * size, 1) };
};

interface Found {
  /** The object with the values. */
  readonly owner: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly value: NDArrayValue;
}

function tableOf(data: unknown): LabelledSet {
  const variables: Found[] = [];
  const coordinates: (Found & { readonly of: Found['owner'] })[] = [];
  const visit = (value: unknown, name: string, of: Found['owner'] | undefined): void => {
    if (isList(value)) {
      for (const item of value) visit(item, name, of);
      return;
    }
    if (!isRecord(value) || value instanceof NDArrayValue) return;
    const own = typeof value['name'] === 'string' ? value['name'] : name;
    for (const [key, member] of Object.entries(value)) {
      if (member instanceof NDArrayValue) {
        const found = { owner: value, name: key === 'values' ? own : key, value: member };
        if (of === undefined) variables.push(found);
        else coordinates.push({ ...found, of });
      } else if (key === 'coordinates' && of === undefined) visit(member, own, value);
      else visit(member, transparent.has(key) ? own : key, of);
    }
  };
  visit(data, 'values', undefined);
  const [first] = variables;
  if (first === undefined)
    throw new InputError(
      'a table needs the field "values" of at least one slice; add it, or accept another media type',
    );
  const dimensions = dimensionsOf(first);
  for (const { name, value } of variables)
    if (value.shape.join() !== first.value.shape.join())
      throw new InputError(
        `a table has values of one shape: "${first.name}" has (${first.value.shape.join(', ')}), but "${name}" (${value.shape.join(', ')})`,
      );
  const named = new Map<string, LabelledVariable>();
  for (const { name, value } of variables)
    named.set(freeName(name, named), variableOf(freeName(name, named), value, dimensions, {}));
  const labels = new Map<string, LabelledVariable>();
  for (const { name, value, owner, of } of coordinates) {
    if (named.has(name) || labels.has(name)) continue;
    labels.set(
      name,
      variableOf(
        name,
        value,
        axesOf(name, value, owner, dimensionsOf({ owner: of, value: first.value })),
        {},
      ),
    );
  }
  return { variables: [...named.values()], coordinates: [...labels.values()], attributes: {} };
}

/** Fields that name no column: a name or an alias above or below them does. */
const transparent = new Set([
  ...[
    'store',
    'dataset',
    'select',
    'variable',
    'variables',
    'array',
    'node',
    'nodes',
    'edges',
    'slice',
    'slices',
  ],
  ...[
    'compute',
    'reduce',
    'group',
    'anomaly',
    'rolling',
    'coarsen',
    'interpolate',
    'within',
    'field',
    'line',
  ],
]);

function freeName(name: string, used: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let n = 2; used.has(free); n++) free = `${name}_${n}`;
  return free;
}

function variableOf(
  name: string,
  { block }: NDArrayValue,
  dimensions: readonly string[],
  attributes: JsonObject,
): LabelledVariable {
  return { name, slice: blockSlice(block, {}), dimensions, attributes };
}

/** The names in `dimensions { name }` if the document selects it, otherwise `dim_N`. */
function dimensionsOf({ owner, value }: Pick<Found, 'owner' | 'value'>): readonly string[] {
  const selected = isList(owner['dimensions']) ? owner['dimensions'] : [];
  return value.shape.map((_, d) => {
    const dimension = selected[d];
    const name = isRecord(dimension) ? dimension['name'] : undefined;
    return typeof name === 'string' ? name : `dim_${d}`;
  });
}

/** @throws InputError if the result does not tell along which dimensions the labels are */
function axesOf(
  name: string,
  { shape }: NDArrayValue,
  owner: Found['owner'],
  dimensions: readonly string[],
): readonly string[] {
  if (shape.length === 0) return [];
  const own = isList(owner['dimensions'])
    ? owner['dimensions']
    : typeof owner['dimension'] === 'string'
      ? [owner['dimension']]
      : [name];
  const names = own.filter((each) => typeof each === 'string' && dimensions.includes(each));
  if (names.length === shape.length) return names.map(String);
  throw new InputError(
    `the dimensions of the coordinate "${name}" are not known; select "dimensions { name }" of the slice, and "dimensions" of its coordinates`,
  );
}
