/** Lists of dimensions. Slices along one list share their types. Pure. */
import type { ArrayFacts, DimFacts, GroupFacts } from './facts.js';
import { type GraphqlNames, hashed } from './names.js';

/** Lists with separate types. Further variables use those for all dimensions of the store. */
const MAX_LISTS = 64;
/** Dimensions of the types for the whole store. With more, further variables have the types without dimensions. */
const MAX_DIMENSIONS = 256;

export interface ListFacts {
  /** What the names of its types end in: `_TIME_lat_lon`, or empty for all dimensions of the store. */
  readonly suffix: string;
  readonly dims: readonly DimFacts[];
  /** Names of the coordinates that some variable along these dimensions has. */
  readonly coordinates: readonly string[];
  readonly hasGeography: boolean;
}

export interface Lists {
  /** @returns undefined for arrays whose slices have the types without dimensions */
  of(array: ArrayFacts): ListFacts | undefined;
  /** All dimensions of the store; undefined if there are too many. */
  readonly all: ListFacts | undefined;
}

/** The arrays of all groups, breadth first. Members of a family count once, by their union. */
export function* arraysIn(root: GroupFacts): Generator<ArrayFacts> {
  let level: readonly GroupFacts[] = [root];
  while (level.length > 0) {
    for (const group of level) yield* group.arrays;
    level = level.flatMap(({ groups, family }) => {
      if (family === undefined) return groups;
      const members = new Set(family.members);
      return [family.union, ...groups.filter(({ name }) => !members.has(name))];
    });
  }
}

export function createLists(root: GroupFacts, names: GraphqlNames): Lists {
  const gathered = new Map<string, Gathering>();
  const whole = new Gathering();
  for (const array of arraysIn(root)) {
    if (array.role !== 'array') whole.add(array);
    if (array.role === 'single' || array.dims.length === 0) continue;
    const key = keyOf(array.dims);
    const own = gathered.get(key) ?? (gathered.size < MAX_LISTS ? new Gathering() : undefined);
    if (own === undefined) continue;
    gathered.set(key, own);
    own.add(array);
  }
  const suffixes = suffixesOf([...gathered], names);
  const lists = new Map([...gathered].map(([key, own]) => [key, own.finish(suffixes.get(key) ?? '')]));
  const all = whole.dims.size > MAX_DIMENSIONS ? undefined : whole.finish('');
  return {
    all,
    of: ({ role, dims }) => (role === 'single' || dims.length === 0 ? undefined : (lists.get(keyOf(dims)) ?? all)), // prettier-ignore
  };
}

/** Thousands of variables share the list of their dimensions. */
const keys = new WeakMap<readonly DimFacts[], string>();

function keyOf(dims: readonly DimFacts[]): string {
  const key = keys.get(dims) ?? JSON.stringify(dims.map(({ name }) => name));
  keys.set(dims, key);
  return key;
}

/** Lists with equal suffixes are told apart by hashes. */
function suffixesOf(
  lists: readonly (readonly [string, Gathering])[],
  names: GraphqlNames,
): Map<string, string> {
  const plain = new Map(lists.map(([key, { dims }]) => [key, `_${[...dims.keys()].map(names).join('_')}`]));
  return distinct(plain);
}

/** Names by what they stand for. Those that several things have get a hash. */
export function distinct(plain: ReadonlyMap<string, string>): Map<string, string> {
  const counts = new Map<string, number>();
  for (const name of plain.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const taken = new Set(plain.values());
  return new Map([...plain].map(([key, name]) => [key, (counts.get(name) ?? 0) > 1 ? hashed(name, key, taken) : name])); // prettier-ignore
}

/** Merges the dimensions of arrays. */
class Gathering {
  readonly dims = new Map<string, DimFacts>();
  /** The dimensions whose labels are known, from a variable: arrays selected by position say nothing about labels. */
  readonly #labelled = new Set<string>();
  readonly #coordinates = new Set<string>();
  /** The lists in `coordinates`: variables along the same dimensions share one, which may have thousands of names. */
  readonly #lists = new Set<readonly string[]>();
  #hasGeography = false;

  add({ role, dims, coordinates, hasGeography }: ArrayFacts): void {
    for (const dim of dims) {
      const known = this.#labelled.has(dim.name) ? this.dims.get(dim.name) : undefined;
      if (role === 'array') {
        if (!this.dims.has(dim.name)) this.dims.set(dim.name, dim);
        continue;
      }
      this.#labelled.add(dim.name);
      this.dims.set(dim.name, known === undefined ? dim : mergedDim(known, dim));
    }
    if (!this.#lists.has(coordinates)) for (const name of coordinates) this.#coordinates.add(name);
    this.#lists.add(coordinates);
    this.#hasGeography ||= hasGeography;
  }

  finish(suffix: string): ListFacts {
    const dims = [...this.dims.values()];
    const coordinates = [...this.#coordinates].toSorted();
    return { suffix, dims, coordinates, hasGeography: this.#hasGeography };
  }
}

/** Labels of different kinds become JSON. */
export function mergedDim(a: DimFacts, b: DimFacts): DimFacts {
  return {
    name: a.name,
    label: a.label === b.label ? a.label : 'other',
    isLatitude: a.isLatitude && b.isLatitude,
    units: a.units === b.units ? a.units : undefined,
    calendar: a.calendar === b.calendar ? a.calendar : undefined,
  };
}
