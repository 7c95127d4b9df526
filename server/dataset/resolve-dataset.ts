/**
 * Resolves the arrays of a group to a dataset: its dimensions and their sizes, its variables and
 * coordinates. Pure.
 *
 * As in xarray, coordinates are the variables with the name of a dimension, and the variables listed in an
 * attribute `coordinates` of another variable (CF, section 5) or of the group (xarray's convention).
 */
import { defined } from '../../wire/guards.js';
import {
  isZarrError,
  type JsonObject,
  MetadataError,
  type ZarrArray,
  type ZarrError,
  type ZarrGroup,
} from '../zarr/index.js';
import {
  namesInAttribute,
  textAttribute,
  visibleAttributes,
  withoutNames,
  inheritTimeAttributes,
} from './attributes.js';
import { declaredDimensions } from './nczarr.js';
import { namedDimensions, Variable, type VariableContext, type Dataset } from './variable.js';

/** The direct members of a group. */
export interface GroupMembers {
  /** Each array by name: the open array, or the error from opening it. */
  readonly arrays: ReadonlyMap<string, ZarrArray | ZarrError>;
  /** Paths of the child groups. */
  readonly groups: readonly string[];
}

/** An array whose dimensions are all named. */
interface Named {
  readonly array: ZarrArray;
  readonly dimensions: readonly string[];
  /** The names in its attribute `coordinates`. */
  readonly coordinates: readonly string[];
  readonly shape: readonly number[];
}

export interface ResolveOptions {
  /**
   * Whether arrays whose sizes disagree are variables too. Their values must not be read: the option is for what
   * depends on names alone.
   * @default false
   */
  readonly ignoreSizes?: boolean;
}

/**
 * A generator for `inTurns`, because a group can have 20,000 arrays.
 * @param inherited the index coordinates of the nearest dataset above, including those that it inherits
 * @throws MetadataError if the group has arrays, but no array has names for its dimensions, or if its
 *   attribute `coordinates` is too long
 */
export function* resolveDataset(
  group: ZarrGroup,
  { arrays, groups }: GroupMembers,
  inherited: readonly Variable[],
  { ignoreSizes = false }: ResolveOptions = {},
): Generator<void, Dataset, void> {
  const named = new Map<string, Named>();
  const failures = new Map<string, ZarrError>();
  const namesIn = createNameLists();
  for (const [name, array] of arrays) {
    if (array instanceof Error) failures.set(name, array);
    else nameDimensions(array, namesIn, named, failures);
    yield;
  }
  assertDataset(group, arrays, named);
  const sizes = yield* dimensionSizes(group, named);
  for (const [name, variable] of named) {
    yield;
    const conflict = ignoreSizes ? undefined : sizeConflict(variable, sizes);
    if (conflict === undefined) continue;
    failures.set(name, conflict);
    named.delete(name);
  }
  const contexts = yield* contextsOf(group, named);
  const variables = new Map<string, Variable | ZarrError>();
  for (const name of arrays.keys()) {
    const [variable, context] = [named.get(name), contexts.get(name)];
    const entry =
      variable && context ? new Variable(variable.array, variable.dimensions, context) : failures.get(name);
    if (entry !== undefined) variables.set(name, entry);
    yield;
  }
  for (const variable of inherited) {
    const size = sizes.get(variable.name) ?? variable.shape[0];
    if (!variables.has(variable.name) && (ignoreSizes || size === variable.shape[0]))
      variables.set(variable.name, variable);
  }
  return { group, attributes: groupAttributes(group), sizes: visibleSizes(variables), variables, groups };
}

/** Excludes `coordinates`, which is already evaluated. */
function groupAttributes({ meta }: ZarrGroup): Dataset['attributes'] {
  const used = textAttribute(meta.attributes, 'coordinates') === undefined ? undefined : 'coordinates';
  return withoutNames(visibleAttributes(meta.attributes), (name) => name === used);
}

/**
 * Maximum total length, in characters, of the distinct lists of coordinates in a dataset. Most variables
 * share a few lists.
 */
const MAX_LISTS_TEXT = 2 ** 20;

/**
 * Creates a version of `namesInAttribute` with a cache, so that each distinct list is parsed once, and with a
 * limit on the total size of the lists.
 */
function createNameLists(): (attributes: JsonObject, name: string) => readonly string[] {
  const lists = new Map<string, readonly string[]>();
  let left = MAX_LISTS_TEXT;
  return (attributes, name) => {
    const text = textAttribute(attributes, name) ?? '';
    const known = lists.get(text);
    if (known !== undefined) return known;
    if (text.length > left)
      throw new MetadataError(
        `the lists in the attributes "${name}" of this dataset have more than ${MAX_LISTS_TEXT} characters in total`,
      );
    left -= text.length;
    const names = namesInAttribute(attributes, name);
    lists.set(text, names);
    return names;
  };
}

function nameDimensions(
  array: ZarrArray,
  namesIn: ReturnType<typeof createNameLists>,
  named: Map<string, Named>,
  failures: Map<string, ZarrError>,
): void {
  const dimensions = namedDimensions(array);
  if (dimensions !== undefined) {
    const shape = dimensions.length === 0 ? [] : array.shape;
    try {
      const coordinates = namesIn(array.meta.attributes, 'coordinates');
      named.set(array.name, { array, dimensions, coordinates, shape });
    } catch (error) {
      if (!isZarrError(error)) throw error;
      failures.set(array.name, error.withContext(contextOf(array)));
    }
    return;
  }
  const detail =
    `this array is not a variable: some of its ${array.shape.length} dimensions have no name ` +
    '(format 3: dimension_names; formats 1 and 2: the attribute _ARRAY_DIMENSIONS); read it as an array';
  failures.set(array.name, new MetadataError(detail, { where: contextOf(array) }));
}

function contextOf({ context, path }: ZarrArray | ZarrGroup): { store: string; path: string } {
  return { store: context.store.label, path };
}

/** A group without arrays is a dataset too: other datasets may be below it. */
function assertDataset(
  group: ZarrGroup,
  arrays: GroupMembers['arrays'],
  named: ReadonlyMap<string, Named>,
): void {
  const opened = [...arrays.values()].filter((array) => !(array instanceof Error)).length;
  if (opened === 0 || named.size > 0) return;
  throw new MetadataError(
    `this group is not a dataset: none of its ${opened} arrays names its dimensions (format 3: dimension_names; ` +
      'formats 1 and 2: the attribute _ARRAY_DIMENSIONS); read them as arrays',
    { where: contextOf(group) },
  );
}

/**
 * Determines the size of each dimension. If variables disagree, the size is taken from, in order: the group's
 * declaration (NCZarr), the variable named like the dimension, the majority of variables. If two sizes occur
 * equally often, the first one is taken.
 */
function* dimensionSizes(
  group: ZarrGroup,
  named: ReadonlyMap<string, Named>,
): Generator<void, ReadonlyMap<string, number>, void> {
  const declared = declaredDimensions(group);
  const votes = new Map<string, Map<number, number>>();
  for (const { dimensions, shape } of named.values()) {
    yield;
    dimensions.forEach((dimension, d) => {
      const size = defined(shape[d]);
      const counted = votes.get(dimension) ?? new Map<number, number>();
      votes.set(dimension, counted.set(size, (counted.get(size) ?? 0) + 1));
    });
  }
  const sizes = new Map<string, number>();
  for (const [dimension, counted] of votes) {
    yield;
    const coordinate = named.get(dimension);
    const own = coordinate?.dimensions.length === 1 && coordinate.dimensions[0] === dimension;
    const [most] = [...counted].sort(([, a], [, b]) => b - a);
    const size = declared.get(dimension) ?? (own ? coordinate.shape[0] : undefined) ?? most?.[0];
    if (size !== undefined) sizes.set(dimension, size);
  }
  return sizes;
}

function sizeConflict(
  { array, dimensions, shape }: Named,
  sizes: ReadonlyMap<string, number>,
): MetadataError | undefined {
  const d = dimensions.findIndex((dimension, i) => sizes.get(dimension) !== shape[i]);
  const dimension = dimensions[d];
  if (dimension === undefined) return undefined;
  return new MetadataError(
    `this array is not a variable of its dataset: it has ${shape[d]} elements along "${dimension}", ` +
      `but the dataset has ${sizes.get(dimension)}; read it as an array`,
    { where: contextOf(array) },
  );
}

function* contextsOf(
  group: ZarrGroup,
  named: ReadonlyMap<string, Named>,
): Generator<void, ReadonlyMap<string, VariableContext>, void> {
  const coordinates = new Set(namesInAttribute(group.meta.attributes, 'coordinates'));
  const bounded = new Map<string, string>();
  for (const [name, variable] of named) {
    const { array, dimensions } = variable;
    const { attributes } = array.meta;
    for (const coordinate of variable.coordinates) coordinates.add(coordinate);
    for (const dimension of dimensions) coordinates.add(dimension);
    const bounds = textAttribute(attributes, 'bounds') ?? textAttribute(attributes, 'climatology');
    if (bounds !== undefined && bounds !== name && named.has(bounds)) bounded.set(bounds, name);
    yield;
  }
  const characters = characterDimensions(named);
  const contexts = new Map<string, VariableContext>();
  for (const [name, variable] of named) {
    const boundsOf = bounded.get(name);
    contexts.set(name, {
      isCoordinate: coordinates.has(name),
      boundsOf,
      attributes: attributesToDecode(variable, boundsOf === undefined ? undefined : named.get(boundsOf)),
      mayJoinCharacters: characters.has(variable.dimensions.at(-1) ?? ''),
    });
    yield;
  }
  return contexts;
}

function attributesToDecode({ array }: Named, parent: Named | undefined): VariableContext['attributes'] {
  const attributes = visibleAttributes(array.meta.attributes);
  return parent === undefined ? attributes : inheritTimeAttributes(attributes, parent.array.meta.attributes);
}

/**
 * The dimensions used only for characters. They have no coordinate, and occur only as the last dimension of
 * byte strings.
 */
function characterDimensions(named: ReadonlyMap<string, Named>): ReadonlySet<string> {
  const [candidates, others] = [new Set<string>(), new Set<string>(named.keys())];
  for (const { array, dimensions } of named.values()) {
    const isText = array.meta.dtype.name === 'null_terminated_bytes';
    const last = isText ? dimensions.length - 1 : dimensions.length;
    for (const dimension of dimensions.slice(0, last)) others.add(dimension);
    for (const dimension of dimensions.slice(last)) candidates.add(dimension);
  }
  return new Set([...candidates].filter((dimension) => !others.has(dimension)));
}

function visibleSizes(variables: Dataset['variables']): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const entry of variables.values()) {
    if (!(entry instanceof Variable)) continue;
    const { dimensions, shape } = entry;
    dimensions.forEach((dimension, d) => sizes.set(dimension, defined(shape[d])));
  }
  return sizes;
}
