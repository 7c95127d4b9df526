/** The operations of generated slices: one row each, with its arguments and the step of the generic schema that it takes. */
import {
  GraphQLFloat,
  type GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLArgumentConfig,
  type GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputFieldConfigMap,
} from 'graphql';
import type {
  CalendarPart,
  CalendarUnit,
  BinSide,
  Boundary,
  CoarsenMethod,
  InterpolateAt,
  InterpolateMethod,
  Reduction,
  ReductionParameter,
  SliceStep,
  Weights,
} from '../resolvers/generated/types.js';
import { type DeclaredName, declaredNames, declaredOperations } from '../analysis/operations/table.js';
import { InputError } from '../zarr/index.js';
import type { DimFacts, LabelKind } from './facts.js';
import type { Arguments, GenericTypes } from './generic-types.js';
import type { ListFacts } from './lists.js';
import type { GraphqlNames } from './names.js';
import { onlyDates } from './typed-slice.js';

/** What the arguments of the operations of one list of dimensions are made of. */
export interface OperationTypes {
  readonly generic: GenericTypes;
  readonly list: ListFacts;
  readonly names: GraphqlNames;
  /** The enum of the dimensions. */
  readonly dim: GraphQLEnumType;
  /** The positions of `track`. */
  readonly point: GraphQLInputObjectType | undefined;
}

export interface StepTypes extends Pick<OperationTypes, 'list' | 'names'> {
  /** The name by which steps know a dimension: its own, or its position as text. */
  readonly dimOf: (name: string) => string;
}

export interface TypedStep {
  readonly step: SliceStep;
  /** Set for reductions: the dimensions, undefined for all. */
  readonly reduced?: {
    readonly over: readonly string[] | undefined;
    readonly q: readonly number[] | undefined;
  };
}

export interface TypedOperation {
  readonly name: string;
  readonly about: string;
  /** Whether it can apply to slices along these dimensions. */
  readonly applies: (list: ListFacts) => boolean;
  readonly args: (types: OperationTypes) => GraphQLFieldConfigArgumentMap;
  /** @param args the arguments with their defaults, as GraphQL has checked them */
  readonly step: (args: TypedArguments, types: StepTypes) => TypedStep;
}

/** The arguments of all operations. GraphQL checks them against the types of `args`. */
export interface TypedArguments extends Arguments {
  readonly over?: readonly string[] | null;
  readonly weights?: Weights | null;
  readonly ddof?: number;
  readonly q?: readonly number[] | null;
  readonly by?: Reduction;
  readonly skipMissing?: boolean;
  readonly minCount?: number | null;
  readonly unit?: CalendarUnit;
  readonly every?: number;
  readonly fromMonth?: number;
  readonly fromWeekday?: number;
  readonly along?: string | null;
  readonly part?: CalendarPart;
  readonly edges?: readonly unknown[];
  readonly closed?: BinSide;
  readonly coordinate?: string | null;
  readonly values?: readonly number[] | null;
  readonly onto?: string | null;
  readonly method?: InterpolateMethod;
  readonly window?: number;
  readonly center?: boolean;
  readonly _method?: CoarsenMethod | null;
  readonly _boundary?: Boundary;
  readonly points?: readonly Readonly<Record<string, unknown>>[];
  readonly geometry?: unknown;
}

const always = (): boolean => true;
export const hasDates = ({ dims }: ListFacts): boolean => dims.some(({ label }) => label === 'date');
const sortable: ReadonlySet<string> = new Set(['date', 'number', 'longitude', 'integer', 'other']);
/** Whether a dimension has labels between which values can be interpolated. */
export const isSortable = ({ label }: DimFacts): boolean => sortable.has(label);
const hasSortable = ({ dims }: ListFacts): boolean => dims.some(isSortable);
const hasLabels = ({ dims }: ListFacts): boolean => dims.some(({ label }) => label !== 'none');

type ArgumentsOf = TypedOperation['args'];

const over: ArgumentsOf = ({ dim }) => ({
  over: { type: new GraphQLList(new GraphQLNonNull(dim)), description: 'The dimensions. All by default.' },
});
const weights: ArgumentsOf = ({ generic }) => ({
  weights: { type: generic.input('Weights'), description: 'Weights of the values.' },
});
const ddof: ArgumentsOf = () => ({
  ddof: { type: GraphQLInt, default: { value: 0 }, description: 'The sum of squares is divided by the number of values minus this.' }, // prettier-ignore
});
const quantiles =
  (isRequired: boolean): ArgumentsOf =>
  () => {
    const list = new GraphQLList(new GraphQLNonNull(GraphQLFloat));
    const description = 'Quantiles between 0 and 1. They become the first dimension, `quantile`.';
    return { q: { type: isRequired ? new GraphQLNonNull(list) : list, description } };
  };
const by: ArgumentsOf = ({ generic }) => ({
  by: { type: new GraphQLNonNull(generic.input('Reduction')), description: 'The reduction.' },
});
const along =
  (isRequired: boolean): ArgumentsOf =>
  ({ dim }) => ({
    along: {
      type: isRequired ? new GraphQLNonNull(dim) : dim,
      description: isRequired ? 'The dimension.' : 'The dimension. By default, the only one with dates.',
    },
  });
const generic = (field: string, ...names: readonly string[]): ArgumentsOf => (types) =>
  Object.fromEntries(names.map((name): [string, GraphQLArgumentConfig] => [name, types.generic.argument(field, name)])); // prettier-ignore
const all =
  (...parts: readonly ArgumentsOf[]): ArgumentsOf =>
  (types) =>
    Object.fromEntries(parts.flatMap((part) => Object.entries(part(types))));

function required<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new TypeError(`GraphQL has checked the argument ${name}`);
  return value;
}

/** @throws InputError if several parameters are given */
function usingOf({ q, ddof: degrees = 0, weights: given }: TypedArguments): { using?: ReductionParameter } {
  const parameters: ReductionParameter[] = [
    ...(q ? [{ q }] : []),
    ...(degrees === 0 ? [] : [{ ddof: degrees }]),
    ...(given ? [{ weights: given }] : []),
  ];
  const [using, ...others] = parameters;
  if (others.length > 0)
    throw new InputError(`${parameters.map((one) => `"${Object.keys(one).join()}"`).join(' and ')} cannot be combined; set one of them`); // prettier-ignore
  return using === undefined ? {} : { using };
}

function reduction(method: Reduction, args: TypedArguments, { dimOf }: StepTypes): TypedStep {
  const { over: given, skipMissing = true, minCount } = args;
  const dims = given ?? undefined;
  const options = { ...usingOf(args), skipMissing, ...(typeof minCount === 'number' ? { minCount } : {}) };
  return {
    step: {
      reduce: {
        by: method,
        mode: 'NOW',
        ...(dims === undefined ? {} : { over: dims.map(dimOf) }),
        ...options,
      },
    },
    reduced: { over: dims, q: method === 'QUANTILE' ? (args.q ?? undefined) : undefined },
  };
}

const short = (
  name: string,
  method: Reduction,
  about: string,
  ...more: readonly ArgumentsOf[]
): TypedOperation => ({
  name,
  about,
  applies: always,
  args: all(over, ...more),
  step: (args, types) => reduction(method, args, types),
});

function datesAlong({ along: given }: TypedArguments, { list }: Pick<OperationTypes, 'list'>): string {
  return given ?? onlyDates(list.dims);
}

function grouped(by: Extract<SliceStep, { group: unknown }>['group']['by'], args: TypedArguments): TypedStep {
  const { skipMissing = true, minCount } = args;
  const options = { ...usingOf(args), skipMissing, ...(typeof minCount === 'number' ? { minCount } : {}) };
  return { step: { group: { by, reduce: required(args.by, 'by'), ...options } } };
}

const groupOptions = all(by, quantiles(false), weights, generic('group', 'skipMissing', 'minCount'));

export const counted: TypedOperation = short('count', 'COUNT', 'The number of values that are not missing.');

/** The operations of numbers. */
export const typedOperations: readonly TypedOperation[] = [
  short('mean', 'MEAN', 'The mean.', weights),
  short('sum', 'SUM', 'The sum.', weights),
  short('min', 'MIN', 'The smallest value.'),
  short('max', 'MAX', 'The largest value.'),
  short('std', 'STD', 'The standard deviation.', weights, ddof),
  short('median', 'MEDIAN', 'The median.'),
  short('quantile', 'QUANTILE', 'Quantiles, with linear interpolation.', quantiles(true)),
  {
    name: 'reduce',
    about: 'A reduction with all options.',
    applies: always,
    args: all(over, by, quantiles(false), ddof, generic('reduce', 'skipMissing', 'minCount'), weights),
    step: (args, types) => reduction(required(args.by, 'by'), args, types),
  },
  {
    name: 'resample',
    about: 'Reduces the values of each year, month, day and so on.',
    applies: hasDates,
    args: all(resampling, along(false), groupOptions),
    step(args, types) {
      const { unit, every = 1, fromMonth = 1, fromWeekday = 0 } = args;
      const resample = { dim: datesAlong(args, types), unit: required(unit, 'unit'), every, fromMonth, fromWeekday }; // prettier-ignore
      return grouped({ resample }, args);
    },
  },
  {
    name: 'climatology',
    about: 'Reduces the values of each month, season, day of the year, hour, weekday, week or year.',
    applies: hasDates,
    args: all(calendarPart, along(false), groupOptions),
    step: (args, types) =>
      grouped({ part: { dim: datesAlong(args, types), part: required(args.part, 'part') } }, args),
  },
  {
    name: 'anomaly',
    about: 'The difference from the mean of the same month, season or other part of the date.',
    applies: hasDates,
    args: all(calendarPart, along(false)),
    step: (args, types) => ({
      step: { anomaly: { part: { dim: datesAlong(args, types), part: required(args.part, 'part') } } },
    }),
  },
  {
    name: 'bins',
    about: 'Reduces the values whose labels are between neighbouring edges.',
    applies: hasSortable,
    args: all(along(true), binArguments, groupOptions),
    step(args) {
      const { edges, closed = 'RIGHT' } = args;
      return grouped({ bins: { dim: required(args.along, 'along'), edges: required(edges, 'edges'), closed } }, args); // prettier-ignore
    },
  },
  {
    name: 'groupBy',
    about: 'Reduces the values with equal labels.',
    applies: hasLabels,
    args: all(along(true), coordinateArgument, groupOptions),
    step(args) {
      const { coordinate } = args;
      return grouped({ values: { dim: required(args.along, 'along'), ...(typeof coordinate === 'string' ? { coordinate } : {}) } }, args); // prettier-ignore
    },
  },
  {
    name: 'rolling',
    about: 'Reduces the values of a window around or before each position.',
    applies: always,
    args: all(
      along(true),
      generic('rolling', 'window'),
      by,
      generic('rolling', 'center', 'minCount'),
      quantiles(false),
      ddof,
      weights,
    ),
    step(args, { dimOf }) {
      const { along: dim, window, by: method, center = false, minCount } = args;
      const count = typeof minCount === 'number' ? { minCount } : {};
      return { step: { rolling: { dim: dimOf(required(dim, 'along')), window: required(window, 'window'), by: required(method, 'by'), center, ...usingOf(args), ...count } } }; // prettier-ignore
    },
  },
  {
    name: 'coarsen',
    about: 'Reduces blocks of neighbouring values, so that each dimension has at most the given size.',
    applies: always,
    args: ({ generic: types, list, names }) => ({
      ...Object.fromEntries(list.dims.map(({ name }) => [names(name), { type: GraphQLInt, description: 'The size of the result along this dimension.' }])), // prettier-ignore
      _method: { type: types.input('CoarsenMethod'), description: 'The reduction. The mean by default.' },
      _boundary: types.argument('coarsen', 'boundary'),
    }),
    step(args, { list, names, dimOf }) {
      const to = list.dims.flatMap(({ name }) => {
        const size = args[names(name)];
        return typeof size === 'number' ? [{ dim: dimOf(name), size }] : [];
      });
      const { _method: method, _boundary: boundary = 'PARTIAL' } = args;
      return { step: { coarsen: { to, boundary, ...(method ? { method } : {}) } } };
    },
  },
  {
    name: 'interpolate',
    about: 'Values between the labels, by linear interpolation.',
    applies: hasSortable,
    args: ({ generic: types, list, names }) =>
      Object.fromEntries(list.dims.flatMap((dim) => {
        const target = types.selections.target(dim.label);
        return target === undefined ? [] : [[names(dim.name), { type: new GraphQLList(new GraphQLNonNull(target)), description: 'The labels of the result.' }]]; // prettier-ignore
      })), // prettier-ignore
    step(args, { list, names }) {
      const at = list.dims.flatMap(({ name, label }): InterpolateAt[] => {
        const values = args[names(name)];
        return Array.isArray(values) ? [{ dim: name, values, method: 'LINEAR', ...onCircle(label) }] : [];
      });
      if (at.length === 0) throw new InputError('"interpolate" requires labels along at least one dimension');
      return { step: { interpolate: at } };
    },
  },
  {
    name: 'track',
    about: 'Values at points, by linear interpolation. They become one dimension, `point`.',
    applies: hasSortable,
    args({ point }): GraphQLFieldConfigArgumentMap {
      if (point === undefined) return {};
      const type = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(point)));
      return { points: { type, description: 'The points. All have the same fields.' } };
    },
    step: ({ points }, types) => ({ step: { interpolate: alongPoints(required(points, 'points'), types) } }),
  },
  {
    name: 'levels',
    about: 'Vertical interpolation, to levels that may vary from column to column.',
    applies: always,
    args: all(along(true), ({ generic: types }) => ({
      values: { type: new GraphQLList(new GraphQLNonNull(GraphQLFloat)), description: 'The levels of the result.' },
      onto: { type: GraphQLString, description: 'Other levels to interpolate to, as an expression of variables.' },
      coordinate: { type: GraphQLString, description: 'The levels of the values, as an expression of variables. The coordinate by default.' }, // prettier-ignore
      method: { type: types.input('InterpolateMethod'), default: { value: 'LINEAR' }, description: 'Whether values are linear in the levels, or in their logarithm.' }, // prettier-ignore
    })), // prettier-ignore
    step: ({ along: dim, values = null, onto = null, coordinate = null, method }, { dimOf }) => ({
      step: {
        interpolate: [
          {
            dim: dimOf(required(dim, 'along')),
            values,
            onto,
            coordinate,
            method: required(method, 'method'),
          },
        ],
      },
    }),
  },
  {
    name: 'within',
    about: 'Only the values within a polygon; all others are missing.',
    applies: ({ hasGeography }) => hasGeography,
    args: generic('within', 'geometry'),
    step: ({ geometry }) => ({ step: { within: geometry } }),
  },
  ...declaredNames.map(declared),
];

/** The row of a declared operation. Its dimension is the argument `along`. */
function declared(name: DeclaredName): TypedOperation {
  const { about, parameters, stepOf } = declaredOperations[name];
  const dims = parameters.filter(({ type }) => type === 'dimension').map((parameter) => parameter.name);
  const others = parameters.map((parameter) => parameter.name).filter((own) => !dims.includes(own));
  return {
    name,
    about,
    applies: name === 'near' ? ({ hasGeography }) => hasGeography : always,
    args: dims.length === 0 ? generic(name, ...others) : all(along(true), generic(name, ...others)),
    step(given, { dimOf }) {
      if (dims.length === 0) return { step: stepOf(given) };
      const { along: dim, ...args } = given;
      const named = Object.fromEntries(dims.map((own) => [own, dimOf(required(dim, 'along'))]));
      return { step: stepOf({ ...args, ...named }) };
    },
  };
}

function resampling({ generic: types }: OperationTypes): GraphQLFieldConfigArgumentMap {
  return {
    unit: {
      type: new GraphQLNonNull(types.input('CalendarUnit')),
      description: 'The unit of the intervals.',
    },
    every: { type: GraphQLInt, default: { value: 1 }, description: 'The number of units in each interval.' },
    fromMonth: { type: GraphQLInt, default: { value: 1 }, description: 'The month in which years and quarters begin.' }, // prettier-ignore
    fromWeekday: { type: GraphQLInt, default: { value: 0 }, description: 'The weekday on which weeks begin, from 0 for Monday.' }, // prettier-ignore
  };
}

function calendarPart({ generic: types }: OperationTypes): GraphQLFieldConfigArgumentMap {
  return {
    part: { type: new GraphQLNonNull(types.input('CalendarPart')), description: 'The part of the date.' },
  };
}

function binArguments({ generic: types }: OperationTypes): GraphQLFieldConfigArgumentMap {
  return {
    edges: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(types.scalar('JSON')))), description: 'The edges, ascending: numbers or dates.' }, // prettier-ignore
    closed: { type: types.input('BinSide'), default: { value: 'RIGHT' }, description: 'The edge that belongs to each interval.' }, // prettier-ignore
  };
}

function coordinateArgument(): GraphQLFieldConfigArgumentMap {
  return {
    coordinate: { type: GraphQLString, description: 'The coordinate with the labels, by its name in the store. The index by default.' }, // prettier-ignore
  };
}

/** One list of values for each dimension of the points. @throws InputError if points have different fields */
function alongPoints(
  points: readonly Readonly<Record<string, unknown>>[],
  { list, names }: Pick<OperationTypes, 'list' | 'names'>,
): InterpolateAt[] {
  const [first] = points;
  if (first === undefined) throw new InputError('"points" is empty; list at least one point');
  const used = list.dims.filter(
    ({ name }) => first[names(name)] !== undefined && first[names(name)] !== null,
  );
  const fields = used.map(({ name }) => names(name));
  for (const [i, point] of points.entries()) {
    const own = Object.keys(point).filter((name) => point[name] !== null && point[name] !== undefined);
    if (own.length !== fields.length || !fields.every((name) => own.includes(name)))
      throw new InputError(
        `all points must have the same fields: points[0] has ${fields.join(', ') || 'none'}, points[${i}] has ${own.join(', ') || 'none'}`,
      );
  }
  return used.map(({ name, label }) => ({
    dim: name,
    along: 'point',
    values: points.map((point) => point[names(name)]),
    method: 'LINEAR',
    ...onCircle(label),
  }));
}

/** Longitudes are compared on the circle, as in selections. */
function onCircle(label: LabelKind): { readonly wrap?: number } {
  return label === 'longitude' ? { wrap: 360 } : {};
}

/** The fields of a point: the dimensions whose labels are numbers or dates. */
export function pointFields({
  generic: types,
  list,
  names,
}: Omit<OperationTypes, 'dim' | 'point'>): GraphQLInputFieldConfigMap {
  // prettier-ignore
  return Object.fromEntries(
    list.dims.flatMap((dim) => {
      const target = types.selections.target(dim.label);
      return target === undefined ? [] : [[names(dim.name), { type: target }]];
    }),
  );
}
