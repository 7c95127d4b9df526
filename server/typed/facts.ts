/**
 * What determines the generated schema of a store: names, dimensions, kinds of values and labels, and a few
 * attributes. Sizes, chunks and values are no facts, so an append changes none. Pure.
 */
import { textAttribute } from '../dataset/attributes.js';
import { isGeographic } from '../dataset/geographic.js';
import { parseMultiscales } from '../dataset/multiscales.js';
import { coordinatesAlong, indexOf, type Dataset, type Variable } from '../dataset/variable.js';
import {
  dataTypeName,
  type DataType,
  type JsonObject,
  type ZarrArray,
  type ZarrGroup,
} from '../zarr/index.js';
import { isFloatName, isIntegerName, isNumberName, isTextName } from '../../wire/data-types.js';

/** The kinds of values. Each has its own slice types. */
export type ValueKind = 'Numbers' | 'Dates' | 'Texts' | 'Record' | 'Elements';

/** The kinds of labels along a dimension. Each has its own selection type. */
export type LabelKind = 'date' | 'longitude' | 'number' | 'integer' | 'text' | 'other' | 'none';

export interface DimFacts {
  readonly name: string;
  readonly label: LabelKind;
  /** Whether the labels are latitudes. */
  readonly isLatitude: boolean;
  readonly units: string | undefined;
  readonly calendar: string | undefined;
}

export interface FieldFacts {
  readonly name: string;
  readonly kind: ValueKind;
  /** Data type, for the description. */
  readonly dtype: string;
  /** Number of dimensions without names that the field appends. */
  readonly extra: number;
  readonly fields: readonly FieldFacts[];
}

export interface ArrayFacts {
  readonly name: string;
  readonly kind: ValueKind;
  /**
   * `variable`: decoded, selected by label. `single`: likewise, but an index, cell boundaries or a single value, which
   * have fewer fields. `array`: stored values, selected by position.
   */
  readonly role: 'variable' | 'single' | 'array';
  readonly dims: readonly DimFacts[];
  /** Names of the coordinates along its dimensions. Variables along the same dimensions share this and `dims`. */
  readonly coordinates: readonly string[];
  readonly hasGeography: boolean;
  readonly isCoordinate: boolean;
  readonly dtype: string;
  readonly longName: string | undefined;
  readonly standardName: string | undefined;
  readonly units: string | undefined;
  /** The fields of a record. */
  readonly fields: readonly FieldFacts[];
}

export interface GroupFacts {
  readonly name: string;
  readonly path: string;
  /** Whether the group has variables, which can be selected together. */
  readonly isDataset: boolean;
  /** Whether the caller may read only nodes below it. */
  readonly isHidden?: boolean;
  readonly title: string | undefined;
  readonly arrays: readonly ArrayFacts[];
  readonly groups: readonly GroupFacts[];
  /** Set if the group has only the fields of the gateway, and why. */
  readonly collapsed?: string;
  /** Child groups of the same structure: their union, and their names. */
  readonly family?: { readonly union: GroupFacts; readonly members: readonly string[] };
}

/** The whole model: the root, or the only array of a store. */
export interface TypedStoreFacts {
  readonly store: string;
  readonly root: GroupFacts;
  /** Whether the root is an array. */
  readonly isArray: boolean;
}

/** @param array an array that is not decoded: the axes of an image name its dimensions */
export function factsOfArray(array: ZarrArray, axes: readonly string[] | undefined): ArrayFacts {
  const { meta } = array;
  const names = array.dimensionNames.every((name) => name === null) ? (axes ?? []) : array.dimensionNames;
  const seen = new Set<string>();
  const dims = array.shape.map((_, d): DimFacts => {
    const own = names[d] ?? `d${d}`;
    const name = seen.has(own) ? `d${d}` : own;
    seen.add(name);
    return { name, label: 'none', isLatitude: false, units: undefined, calendar: undefined };
  });
  return {
    name: array.name,
    kind: kindOf(meta.dtype, false),
    role: 'array',
    dims,
    coordinates: [],
    hasGeography: false,
    isCoordinate: false,
    dtype: meta.dtypeName,
    ...meaningOf(meta.attributes),
    fields: fieldsOf(meta.dtype),
  };
}

export function factsOfVariable(variable: Variable, dataset: Dataset): ArrayFacts {
  const { dimensions, context } = variable;
  const { kind, dtype, fields } = valuesOf(variable);
  const isSingle = dimensions.length === 0 || variable.isIndex || context.boundsOf !== undefined;
  return {
    name: variable.name,
    kind,
    role: isSingle ? 'single' : 'variable',
    ...alongOf(dataset, dimensions),
    isCoordinate: context.isCoordinate,
    dtype,
    ...meaningOf(context.attributes),
    fields,
  };
}

type AlongFacts = Pick<ArrayFacts, 'dims' | 'coordinates' | 'hasGeography'>;

const along = new WeakMap<Dataset, Map<string, AlongFacts>>();

/** Found once for each list of dimensions: a dataset may have thousands of variables and coordinates. */
function alongOf(dataset: Dataset, dimensions: readonly string[]): AlongFacts {
  const lists = along.get(dataset) ?? new Map<string, AlongFacts>();
  along.set(dataset, lists);
  const key = JSON.stringify(dimensions);
  const known = lists.get(key);
  if (known !== undefined) return known;
  const coordinates = coordinatesAlong(dataset, dimensions);
  const states = (axis: 'latitude' | 'longitude'): boolean =>
    coordinates.some(
      (one) => one.context.boundsOf === undefined && isGeographic(one.context.attributes, axis),
    );
  const found = {
    dims: dimensions.map((name) => factsOfDim(dataset, name)),
    coordinates: coordinates.map(({ name }) => name),
    hasGeography: states('latitude') && states('longitude'),
  };
  lists.set(key, found);
  return found;
}

/** Texts are only described, and descriptions shorten them further: a long one must not take the memory of a model. */
const MAX_TEXT = 1000;

export function shortText(attributes: JsonObject, name: string): string | undefined {
  return textAttribute(attributes, name)?.slice(0, MAX_TEXT);
}

function meaningOf(attributes: JsonObject): Pick<ArrayFacts, 'longName' | 'standardName' | 'units'> {
  return {
    longName: shortText(attributes, 'long_name'),
    standardName: shortText(attributes, 'standard_name'),
    units: shortText(attributes, 'units'),
  };
}

interface ValueFacts {
  readonly kind: ValueKind;
  readonly dtype: string;
  readonly fields: readonly FieldFacts[];
}

/** The values after decoding; those as stored if the variable cannot be decoded. */
function valuesOf(variable: Variable): ValueFacts {
  const { dtype: stored, dtypeName } = variable.array.meta;
  try {
    const { dtype, isIdentity, times } = variable.decoding();
    const name = isIdentity ? dtypeName : dataTypeName(dtype);
    return { kind: kindOf(dtype, times !== undefined), dtype: name, fields: fieldsOf(dtype) };
  } catch {
    return { kind: kindOf(stored, false), dtype: dtypeName, fields: fieldsOf(stored) };
  }
}

function kindOf({ name }: DataType, isDate: boolean): ValueKind {
  if (isDate || name === 'numpy.datetime64') return 'Dates';
  if (name === 'bool' || isIntegerName(name) || isFloatName(name)) return 'Numbers';
  if (isTextName(name) || name === 'null_terminated_bytes') return 'Texts';
  return name === 'struct' ? 'Record' : 'Elements';
}

function fieldsOf(dtype: DataType): readonly FieldFacts[] {
  if (dtype.name !== 'struct') return [];
  return dtype.fields.map((field) => ({
    name: field.name,
    kind: kindOf(field.dtype, false),
    dtype: dataTypeName(field.dtype),
    extra: field.shape.length,
    fields: fieldsOf(field.dtype),
  }));
}

function factsOfDim(dataset: Dataset, name: string): DimFacts {
  const index = indexOf(dataset, name);
  if (index === undefined)
    return { name, label: 'none', isLatitude: false, units: undefined, calendar: undefined };
  const { attributes } = index.context;
  const { kind, dtype } = valuesOf(index);
  const isLatitude = isGeographic(attributes, 'latitude');
  const units = shortText(attributes, 'units');
  const isDate = kind === 'Dates';
  return {
    name,
    label: labelOf(kind, dtype, attributes),
    isLatitude,
    units: isDate ? undefined : units,
    calendar: isDate ? index.calendar : undefined,
  };
}

function labelOf(kind: ValueKind, dtype: string, attributes: JsonObject): LabelKind {
  if (kind === 'Dates') return 'date';
  if (kind === 'Texts') return 'text';
  if (kind !== 'Numbers' || !isNumberName(dtype) || dtype === 'bool') return 'other';
  if (isLongitude(attributes)) return 'longitude';
  return dtype === 'int64' || dtype === 'uint64' ? 'integer' : 'number';
}

/** Degrees on a circle: the units say so, or the standard name if there are no units. */
function isLongitude(attributes: JsonObject): boolean {
  const states = isGeographic(attributes, 'longitude');
  return states || (textAttribute(attributes, 'units') === undefined && textAttribute(attributes, 'standard_name') === 'longitude'); // prettier-ignore
}

/** The levels of the images of a group, and the names of their axes. An image that cannot be parsed has none. */
export function levelsOf(group: ZarrGroup): ReadonlyMap<string, readonly string[]> {
  const levels = new Map<string, readonly string[]>();
  try {
    for (const { axes, levels: own } of parseMultiscales(group))
      for (const { path } of own) levels.set(path, axes.map(({ name }) => name)); // prettier-ignore
  } catch {
    // The field `multiscales` reports the error.
  }
  return levels;
}

/** Whether the array is generated as a decoded variable. */
export function isDecoded(variable: Variable, isLevel: boolean): boolean {
  return !isLevel && new Set(variable.dimensions).size === variable.dimensions.length;
}
