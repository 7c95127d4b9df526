/** The types of slices, by kind of values and list of dimensions. */
import {
  GraphQLEnumType,
  type GraphQLArgumentConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import type { SliceCoordinate } from '../dataset/slice-coordinate.js';
import type { GatewayContext } from '../resolvers/context.js';
import type { SliceStep } from '../resolvers/generated/types.js';
import { nullsAsDefaults } from '../resolvers/input-defaults.js';
import { coordinatesOf } from '../resolvers/slices/slice-coordinate.js';
import { sliceByStep } from '../resolvers/slices/slice-model.js';
import { describeDim, note, plainText, withNotes } from './describe.js';
import type { ArrayFacts, DimFacts, FieldFacts, LabelKind, ValueKind } from './facts.js';
import type { Arguments, FieldConfig, GenericTypes } from './generic-types.js';
import type { ListFacts, Lists } from './lists.js';
import type { GraphqlNames } from './names.js';
import {
  counted,
  hasDates,
  isSortable,
  type TypedOperation,
  typedOperations,
  type OperationTypes,
  pointFields,
  type TypedArguments,
} from './operations.js';
import {
  axesAfterReduction,
  type GivenSelections,
  onlyValue,
  operationNames,
  selectTyped,
  stepTyped,
  type TypedSlice,
} from './typed-slice.js';
import type { TypedSelection } from './selections.js';

/** Dimensions that operations on dates create, with the labels that they have. */
const madeDims: readonly DimFacts[] = [
  madeDim('month', 'number'),
  madeDim('season', 'text'),
  madeDim('dayofyear', 'number'),
  madeDim('hour', 'number'),
  madeDim('weekday', 'number'),
  madeDim('week', 'number'),
  madeDim('year', 'number'),
];
/** Names that the gateway adds to those of the store, in enums of dimensions and in coordinates. */
export const madeNames: readonly string[] = [...madeDims.map(({ name }) => name), 'quantile'];

function madeDim(name: string, label: LabelKind): DimFacts {
  return { name, label, isLatitude: false, units: undefined, calendar: undefined };
}

type Fields<Source> = GraphQLFieldConfigMap<Source, GatewayContext>;

export interface SliceTypesOptions {
  readonly names: GraphqlNames;
  readonly generic: GenericTypes;
  readonly lists: Lists;
  /** The plain names of the types of records, by path. */
  readonly recordNames: ReadonlyMap<string, string>;
}

/** The arguments that select along dimensions. */
export interface SelectionArguments {
  readonly args: GraphQLFieldConfigArgumentMap;
  /** The selections among the values of arguments, with defaults in place of nulls. */
  readonly given: (values: Arguments) => GivenSelections;
  /** The place among the values of arguments. */
  readonly place: (values: Arguments) => SliceStep['near'];
}

/** Creates each type once. */
export class SliceTypes {
  /** The interface of all slices. */
  readonly shared: GraphQLInterfaceType;
  readonly #names: GraphqlNames;
  readonly #generic: GenericTypes;
  readonly #lists: Lists;
  readonly #recordNames: ReadonlyMap<string, string>;
  readonly #slices = new Map<string, GraphQLObjectType>();
  readonly #parts = new Map<string, Parts>();
  #common: Fields<TypedSlice> | undefined;
  readonly #arguments = new Map<readonly DimFacts[], SelectionArguments>();
  readonly #withPlace = new Map<SelectionArguments, SelectionArguments>();

  constructor({ names, generic, lists, recordNames }: SliceTypesOptions) {
    this.#names = names;
    this.#generic = generic;
    this.#lists = lists;
    this.#recordNames = recordNames;
    this.shared = new GraphQLInterfaceType({
      name: 'TypedSlice',
      description: 'The fields of slices of every kind, so that fragments can be shared.',
      fields: () => this.#commonFields(),
    });
  }

  /** One argument for each dimension. The same for the same object `dims`, so that fields share descriptions. */
  selectionArguments(dims: readonly DimFacts[]): SelectionArguments {
    const known = this.#arguments.get(dims) ?? this.#createArguments(dims);
    this.#arguments.set(dims, known);
    return known;
  }

  /** The same with the argument `_near`, for variables whose cells have latitudes and longitudes that labels do not name. */
  argumentsOf(dims: readonly DimFacts[], { hasGeography, role }: ArrayFacts): SelectionArguments {
    const own = this.selectionArguments(dims);
    const isGrid =
      dims.some(({ isLatitude }) => isLatitude) && dims.some(({ label }) => label === 'longitude');
    if (!hasGeography || isGrid || role !== 'variable') return own;
    const known = this.#withPlace.get(own) ?? this.#addPlace(own);
    this.#withPlace.set(own, known);
    return known;
  }

  #addPlace(own: SelectionArguments): SelectionArguments {
    const description = 'The cell that is nearest to a place, along the great circle. Its dimensions are dropped, or those of lists become one. `tolerance` is in kilometres.'; // prettier-ignore
    const args = { _near: { type: this.#generic.input('NearStep'), description } };
    const fillNulls = nullsAsDefaults(args);
    return {
      ...own,
      args: { ...own.args, ...args },
      place(values) {
        const { _near: place } = fillNulls(values);
        return isPlaceStep(place) ? place : undefined;
      },
    };
  }

  #createArguments(dims: readonly DimFacts[]): SelectionArguments {
    const named = dims.map((dim) => ({ dim, name: this.#names(dim.name) }));
    const args = Object.fromEntries(
      named.map(({ dim, name }): [string, GraphQLArgumentConfig] => {
        const type = this.#generic.selections.of(dim.label);
        return [name, { type, description: describeDim(dim, name), ...note(dim.name, name) }];
      }),
    );
    const fillNulls = nullsAsDefaults(args);
    return {
      args,
      place: () => undefined,
      given(values) {
        const filled = fillNulls(values);
        return named.flatMap(({ dim, name }) => {
          const by = filled[name];
          return isSelection(by) ? [{ dim, by }] : [];
        });
      },
    };
  }

  /** The type of the slices of an array. */
  of(array: ArrayFacts, path: string): GraphQLObjectType {
    const list = this.#lists.of(array);
    if (array.kind === 'Record') return this.#recordType(array, path, list);
    return this.ofKind(array.kind, list);
  }

  /** The type of slices of a kind along a list of dimensions. */
  ofKind(kind: Exclude<ValueKind, 'Record'>, list: ListFacts | undefined): GraphQLObjectType {
    const name = list === undefined ? `Simple${kind}` : `${kind}${list.suffix}`;
    return this.#named(name, aboutSlices(kind, list), () => this.#sliceFields(kind, list, name));
  }

  #named(name: string, description: string, fields: () => Fields<TypedSlice>): GraphQLObjectType {
    const known = this.#slices.get(name);
    if (known !== undefined) return known;
    const type = new GraphQLObjectType<TypedSlice, GatewayContext>({ name, description, interfaces: [this.shared], fields: () => withNotes(fields()) }); // prettier-ignore
    this.#slices.set(name, type);
    return type;
  }

  #recordType(
    array: Pick<ArrayFacts, 'name' | 'fields'>,
    path: string,
    list: ListFacts | undefined,
  ): GraphQLObjectType {
    // prettier-ignore
    const plain = this.#recordNames.get(path) ?? this.#names(array.name);
    const name = `Record_${plain}`;
    return this.#named(name, `Slices of the structs of ${plainText(path)}.`, () => ({
      ...this.#commonFields(),
      ...this.#selectField(list, name),
      fields: {
        type: this.#fieldsType(`Fields_${plain}`, array.fields, path, list),
        description: 'The fields of the structs.',
        resolve: (slice) => slice,
      },
    }));
  }

  #fieldsType(
    name: string,
    fields: readonly FieldFacts[],
    path: string,
    list: ListFacts | undefined,
  ): GraphQLObjectType {
    // prettier-ignore
    const configs: Fields<TypedSlice> = {};
    for (const field of fields) {
      const graphqlName = this.#names(field.name);
      const type = field.kind === 'Record' ? this.#recordType(field, `${path}/${field.name}`, list) : this.ofKind(field.kind, list); // prettier-ignore
      configs[graphqlName] = {
        type,
        description: `${plainText(field.dtype)}.`,
        ...note(field.name, graphqlName),
        resolve: async (slice, _, context) => {
          const model = await sliceByStep(slice.model, { field: field.name }, context);
          const axes = slice.axes && [...slice.axes, ...new Array<undefined>(field.extra).fill(undefined)];
          return { ...slice, axes, model };
        },
      };
    }
    return new GraphQLObjectType({ name, description: `The fields of the structs of ${plainText(path)}.`, fields: configs }); // prettier-ignore
  }

  /** The same for all slices, so that they share resolvers and descriptions. */
  #commonFields(): Fields<TypedSlice> {
    this.#common ??= this.#createCommonFields();
    return this.#common;
  }

  #createCommonFields(): Fields<TypedSlice> {
    const { field, object } = this.#generic;
    const own = (name: string): FieldConfig<TypedSlice> =>
      field('Slice', name, ({ model }: TypedSlice) => model);
    return {
      values: own('values'),
      base64: own('base64'),
      href: own('href'),
      zarrUrl: own('zarrUrl'),
      shape: own('shape'),
      dtype: own('dtype'),
      dimensions: own('dimensions'),
      estimate: own('estimate'),
      slice: {
        type: new GraphQLNonNull(object('Slice')),
        description: 'The slice in the generic schema, with all its operations.',
        resolve: ({ model }) => model,
      },
      variable: {
        type: object('Variable'),
        description:
          'The generic `Variable`; null for computed values and for arrays that are selected by position.',
        resolve: ({ variable }) => variable ?? null,
      },
      array: {
        type: object('ZarrArray'),
        description: 'The stored array; null for computed values.',
        resolve: ({ array }) => array ?? null,
      },
    };
  }

  #sliceFields(
    kind: Exclude<ValueKind, 'Record'>,
    list: ListFacts | undefined,
    typeName: string,
  ): Fields<TypedSlice> {
    // prettier-ignore
    const { generic } = this.#partsOf(list);
    const value = valueField(kind);
    const statistics = generic.field('Slice', 'statistics', ({ model }: TypedSlice) => model);
    return {
      ...(value === undefined ? {} : { value }),
      ...this.#commonFields(),
      coordinates: this.#coordinatesField(list),
      ...this.#selectField(list, typeName),
      ...this.#operationFields(kind, list, typeName),
      ...(kind === 'Elements' ? {} : { statistics }),
      ...(kind === 'Numbers' ? this.#drawnFields(list) : {}),
    };
  }

  /** The enum of the dimensions of an array. */
  dimensionsOf(array: ArrayFacts): GraphQLEnumType {
    return this.#partsOf(this.#lists.of(array)).dim;
  }

  #coordinatesField(list: ListFacts | undefined): FieldConfig<TypedSlice> {
    const used = list ?? this.#lists.all;
    const type = used === undefined ? this.#noCoordinates() : this.#partsOf(used).coordinates;
    return {
      type,
      description: 'The coordinates of the slice by name. One that the slice lacks is null.',
      resolve: ({ model }, _, context) => coordinatesOf(model, context),
    };
  }

  #noCoordinates(): GraphQLObjectType {
    return this.#partsOf({ suffix: '', dims: [], coordinates: [], hasGeography: false }).coordinates;
  }

  #selectField(list: ListFacts | undefined, typeName: string): Fields<TypedSlice> {
    if (list === undefined) return {};
    const selection = this.selectionArguments(selectable(list));
    return {
      select: {
        type: this.#slices.get(typeName) ?? GraphQLString,
        description: 'A part of the slice.',
        args: selection.args,
        resolve: (slice, args: Arguments, context) => selectTyped(slice, selection.given(args), context),
      },
    };
  }

  #operationFields(
    kind: Exclude<ValueKind, 'Record'>,
    list: ListFacts | undefined,
    typeName: string,
  ): Fields<TypedSlice> {
    // prettier-ignore
    const types = this.#partsOf(list);
    const self = this.#slices.get(typeName) ?? GraphQLString;
    const counts = this.ofKind('Numbers', list);
    const fields: Fields<TypedSlice> = { count: this.#operationField(counted, types, list, counts) };
    if (kind === 'Elements') return fields;
    for (const operation of typedOperations) {
      const isReduction = reductionNames.has(operation.name);
      if (kind !== 'Numbers' && operation.name !== 'reduce') continue;
      if (list === undefined ? !isReduction : !operation.applies(list)) continue;
      const config = this.#operationField(operation, types, list, self);
      fields[operation.name] = kind === 'Numbers' ? config : withReductions(config, reductionsOf[kind]);
    }
    return fields;
  }

  #operationField(
    operation: TypedOperation,
    types: OperationTypes,
    list: ListFacts | undefined,
    type: GraphQLOutputType,
  ): FieldConfig<TypedSlice> {
    // prettier-ignore
    const args = operation.args(types);
    if (list === undefined) delete args['over'];
    const { about } = operation;
    return {
      type,
      description: about,
      args,
      resolve: (slice, given: TypedArguments, context) => {
        const dimOf = (dim: string): string => operationNames(slice, [dim])[0] ?? dim;
        const { step, reduced } = operation.step(given, { list: types.list, names: types.names, dimOf });
        const left = reduced === undefined ? slice.axes : axesAfterReduction(slice, reduced.over, reduced.q);
        return stepTyped(slice, step, context, left);
      },
    };
  }

  /** Lines, pictures and tiles. */
  #drawnFields(list: ListFacts | undefined): Fields<TypedSlice> {
    const { field, resolver } = this.#generic;
    const modelOf = ({ model }: TypedSlice): unknown => model;
    const { dim } = this.#partsOf(list);
    const line = field('Slice', 'line', modelOf);
    const { along: _, ...args } = line.args ?? {};
    const draw = resolver('Slice', 'line');
    const isFlat = list === undefined || list.dims.length < 2;
    return {
      line: {
        ...line,
        args: list === undefined ? args : { ...args, along: { type: dim, description: 'The dimension of the x axis. By default, the only one left.' } }, // prettier-ignore
        resolve: (slice, given: Arguments, context, info) => {
          const { along } = given;
          const name = typeof along === 'string' ? operationNames(slice, [along])[0] : undefined;
          return draw(slice.model, { ...given, along: name }, context, info);
        },
      },
      ...(isFlat ? {} : { image: field('Slice', 'image', modelOf) }),
      ...(list?.hasGeography === true ? { tiles: field('Slice', 'tiles', modelOf) } : {}),
    };
  }

  /** The enum, coordinates and points of a list. */
  #partsOf(list: ListFacts | undefined): Parts {
    const used = list ?? this.#lists.all ?? emptyList;
    const known = this.#parts.get(used.suffix);
    if (known !== undefined) return known;
    const names = this.#names;
    const generic = this.#generic;
    const values = [...used.dims, ...(hasDates(used) ? madeDims : [])];
    const dim = new GraphQLEnumType({
      name: `Dim${used.suffix}`,
      description: 'The dimensions, and those that operations on dates create.',
      values: Object.fromEntries(
        (values.length === 0 ? [madeDim('quantile', 'number')] : values).map(({ name }) => [names(name), { value: name, ...note(name, names(name)) }]), // prettier-ignore
      ),
    });
    const point = used.dims.some(isSortable)
      ? new GraphQLInputObjectType({
          name: `Point${used.suffix}`,
          description: 'A position for `track`.',
          fields: pointFields({ generic, list: used, names }),
        })
      : undefined;
    const coordinates = this.#coordinatesType(used);
    const parts = { generic, list: used, names, dim, point, coordinates };
    this.#parts.set(used.suffix, parts);
    return parts;
  }

  #coordinatesType(list: ListFacts): GraphQLObjectType {
    const type = this.#generic.object('SliceCoordinate');
    const made = hasDates(list) ? madeNames : ['quantile'];
    const fields: Fields<readonly SliceCoordinate[]> = {};
    for (const name of new Set([...list.coordinates, ...made])) {
      const graphqlName = this.#names(name);
      fields[graphqlName] = {
        type,
        description: madeNames.includes(name)
          ? 'Created by an operation.'
          : `The coordinate ${plainText(name)}.`,
        ...note(name, graphqlName),
        resolve: (coordinates) => coordinates.find((coordinate) => coordinate.name === name) ?? null,
      };
    }
    fields['_all'] = {
      type: new GraphQLList(new GraphQLNonNull(type)),
      description: 'All coordinates of the slice.',
      resolve: (coordinates) => coordinates,
    };
    return new GraphQLObjectType({
      name: `Coordinates${list.suffix}`,
      description: 'Coordinates by name.',
      fields,
    });
  }
}

interface Parts extends OperationTypes {
  readonly coordinates: GraphQLObjectType;
}

const emptyList: ListFacts = { suffix: '', dims: [], coordinates: [], hasGeography: false };
/** The operations that slices without separate dimensions have: reductions of all values. */
const reductionNames: ReadonlySet<string> = new Set(['mean', 'sum', 'min', 'max', 'std', 'median', 'quantile', 'reduce']); // prettier-ignore

const dateReductions = new GraphQLEnumType({
  name: 'DateReduction',
  description: 'The reductions of dates.',
  values: Object.fromEntries(
    ['MEAN', 'MIN', 'MAX', 'MEDIAN', 'FIRST', 'LAST', 'MODE'].map((name) => [name, {}]),
  ),
});
const textReductions = new GraphQLEnumType({
  name: 'TextReduction',
  description: 'The reductions of text.',
  values: Object.fromEntries(['FIRST', 'LAST', 'MODE'].map((name) => [name, {}])),
});
const reductionsOf = { Dates: dateReductions, Texts: textReductions };

/** Dates and text have fewer reductions, and no parameters. */
function withReductions(config: FieldConfig<TypedSlice>, type: GraphQLEnumType): FieldConfig<TypedSlice> {
  const { over } = config.args ?? {};
  const by = { type: new GraphQLNonNull(type), description: 'The reduction.' };
  return { ...config, args: { ...(over === undefined ? {} : { over }), by } };
}

function selectable(list: ListFacts): readonly DimFacts[] {
  if (!hasDates(list)) return list.dims;
  const own = new Set(list.dims.map(({ name }) => name));
  return [...list.dims, ...madeDims.filter(({ name }) => !own.has(name))];
}

function aboutSlices(kind: ValueKind, list: ListFacts | undefined): string {
  const of = { Numbers: 'numbers', Dates: 'dates', Texts: 'text', Elements: 'values of other types', Record: 'structs' }[kind]; // prettier-ignore
  if (list === undefined) return `Slices of ${of} without operations along dimensions.`;
  if (list.suffix === '') return `Slices of ${of} along any dimensions of the store.`;
  return `Slices of ${of} along ${list.dims.map(({ name }) => plainText(name)).join(', ')}. Every operation returns a slice of the same type.`; // prettier-ignore
}

function valueField(kind: Exclude<ValueKind, 'Record'>): FieldConfig<TypedSlice> | undefined {
  if (kind === 'Elements') return undefined;
  const form = kind === 'Numbers' ? 'number' : 'text';
  return {
    type: kind === 'Numbers' ? GraphQLFloat : GraphQLString,
    description: 'The only value of a slice without dimensions; null if it is missing. `BAD_SELECTION` if dimensions are left.', // prettier-ignore
    resolve: (slice, _, context) => onlyValue(slice, form, context),
  };
}

/** GraphQL has checked the members. */
function isPlaceStep(value: unknown): value is NonNullable<SliceStep['near']> {
  return typeof value === 'object' && value !== null && ('latitude' in value || 'latitudes' in value);
}

function isSelection(value: unknown): value is TypedSelection {
  return typeof value === 'object' && value !== null;
}
