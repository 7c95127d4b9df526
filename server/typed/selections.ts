/** Selections along one dimension: the input types by kind of label, and their translation to those of `Slice.slice`. */
import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  Kind,
} from 'graphql';
import type { DimSelection } from '../resolvers/generated/types.js';
import { withLocation } from '../resolvers/scalars/scalars.js';
import type { LabelKind } from './facts.js';

/** A selection as a resolver receives it: exactly one member is set. */
export interface TypedSelection {
  readonly at?: unknown;
  readonly near?: unknown;
  readonly during?: unknown;
  readonly between?: { readonly from?: unknown; readonly to?: unknown; readonly step?: number | bigint };
  readonly values?: readonly unknown[];
  readonly label?: Extract<DimSelection, { at: unknown }>['at'];
  readonly index?: number | bigint;
  readonly slice?: Extract<DimSelection, { slice: unknown }>['slice'];
  readonly indices?: readonly (number | bigint)[];
  readonly mask?: readonly boolean[];
  readonly where?: string;
  readonly chunk?: number | bigint;
}

/** Degrees of a circle, on which longitudes are compared. */
const CIRCLE = 360;

/** The generic form of a selection. @param label the kind of the dimension's labels */
export function genericSelection(given: TypedSelection, label: LabelKind): DimSelection {
  const wrap = label === 'longitude' ? { wrap: CIRCLE } : {};
  if (given.at !== undefined) return { at: { value: given.at, method: 'EXACT', ...wrap } };
  if (given.near !== undefined) return { at: { value: given.near, method: 'NEAREST', ...wrap } };
  if (given.during !== undefined) return { between: { from: given.during, to: given.during, step: 1 } };
  if (given.between !== undefined) {
    const { from, to, step = 1 } = given.between;
    return { between: { from, to, step, ...wrap } };
  }
  if (given.values !== undefined) return { values: given.values };
  if (given.label !== undefined) return { at: given.label };
  if (given.index !== undefined) return { index: given.index };
  if (given.indices !== undefined) return { indices: given.indices };
  if (given.mask !== undefined) return { mask: given.mask };
  if (given.where !== undefined) return { where: given.where };
  if (given.chunk !== undefined) return { chunk: given.chunk };
  return { slice: given.slice ?? { step: 1 } };
}

/** Generic types that selections contain. */
export interface SelectionParts {
  readonly BigInt: GraphQLScalarType;
  readonly JSON: GraphQLScalarType;
  readonly LabelAt: GraphQLInputObjectType;
  readonly SliceRange: GraphQLInputObjectType;
}

export interface SelectionTypes {
  readonly PartialDate: GraphQLScalarType;
  of(label: LabelKind): GraphQLInputObjectType;
  /** The type of one label; undefined for labels between which nothing can be interpolated. */
  target(label: LabelKind): GraphQLScalarType | undefined;
}

/** Text of a date of any precision, as labels accept it. Months and days are checked; the calendar is not known here. */
const datePattern =
  /^(?:-\d{3,6}|\+?\d{4,6})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?Z?)?)?)?$/;

function parseDate(value: unknown): string {
  if (typeof value !== 'string') throw new GraphQLError('a date is text of ISO 8601, such as "2001-03"');
  const match = datePattern.exec(value.trim());
  const [month = 1, day = 1, hour = 0, minute = 0, second = 0] = match?.slice(1).map((part) => (part === undefined ? undefined : Number(part))) ?? []; // prettier-ignore
  const isValid =
    month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 59;
  if (match === null || !isValid)
    throw new GraphQLError(
      `${JSON.stringify(value.slice(0, 60))} is no date; write ISO 8601 text of any precision, such as "2001", "2001-03" or "2001-03-01T12:30"`,
    );
  return value;
}

const partialDate = new GraphQLScalarType({
  name: 'PartialDate',
  description:
    'A date as ISO 8601 text of any precision: `"2001"` is the whole year, `"2001-03"` the month, `"2001-03-01T12:30"` the minute. Months and days are checked when the document is validated, the calendar when it runs.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: parseDate,
  parseValue: parseDate,
  parseLiteral: (node) =>
    withLocation(node, () => parseDate(node.kind === Kind.STRING ? node.value : undefined)),
});

type LabelType = GraphQLScalarType;

/** Created once for each generic schema, whose types they contain. */
export function createSelectionTypes(parts: SelectionParts): SelectionTypes {
  const { BigInt: bigInt, JSON: json, LabelAt, SliceRange } = parts;
  const listOf = (type: LabelType) => new GraphQLList(new GraphQLNonNull(type));
  const positions: GraphQLInputFieldConfigMap = {
    index: { type: bigInt, description: 'A position from 0. Negative positions count from the end. Drops the dimension.' }, // prettier-ignore
    slice: { type: SliceRange, description: 'A range of positions.' },
    indices: { type: listOf(bigInt), description: 'Positions in any order; may repeat.' },
    mask: { type: listOf(GraphQLBoolean), description: 'One boolean for each position.' },
    where: { type: GraphQLString, description: 'The positions at which a condition is true, such as `"month(time) == 6"`.' }, // prettier-ignore
    chunk: { type: bigInt, description: 'The positions of one chunk, by its index.' },
  };
  const range = (name: string, type: LabelType, isRequired: boolean, note: string) => {
    const end = isRequired ? new GraphQLNonNull(type) : type;
    return new GraphQLInputObjectType({
      name,
      description: `A range of labels, with both ends included. ${note}`,
      fields: {
        from: { type: end, description: 'The first label.' },
        to: { type: end, description: 'The last label.' },
        step: { type: bigInt, default: { value: 1 }, description: 'Takes every n-th position.' },
      },
    });
  };
  const rangeOf = {
    date: range('DateRange', partialDate, false, 'An absent end means no bound.'),
    longitude: range(
      'LongitudeRange',
      GraphQLFloat,
      true,
      'It runs eastwards from `from` to `to` on the circle.',
    ),
    number: range('NumberRange', GraphQLFloat, false, 'An absent end means no bound.'),
    integer: range('IntegerRange', bigInt, false, 'An absent end means no bound.'),
    text: range('TextRange', GraphQLString, false, 'An absent end means no bound.'),
    other: range('AnyRange', json, false, 'An absent end means no bound.'),
  };
  const selection = (
    name: string,
    about: string,
    type: LabelType,
    between: GraphQLInputObjectType,
    more: GraphQLInputFieldConfigMap,
  ) =>
    new GraphQLInputObjectType({
      name,
      isOneOf: true,
      description: `${about} Exactly one field must be set.`,
      fields: {
        at: { type, description: 'The position with this label. Drops the dimension.' },
        ...more,
        between: { type: between, description: 'The positions whose labels are in a range.' },
        values: { type: listOf(type), description: 'The positions with these labels, in this order.' },
        label: { type: LabelAt, description: 'The position with a label, with all options.' },
        ...positions,
      },
    });
  const near = (type: LabelType, note = ''): GraphQLInputFieldConfigMap => ({
    near: { type, description: `The position with the nearest label${note}. Drops the dimension.` },
  });
  const types: Readonly<Record<LabelKind, GraphQLInputObjectType>> = {
    date: selection('DateSelection', 'Positions along a dimension with dates.', partialDate, rangeOf.date, {
      ...near(partialDate),
      during: {
        type: partialDate,
        description: 'The positions within a year, month, day and so on: `"2001-03"`.',
      },
    }),
    longitude: selection('LongitudeSelection', 'Positions along a dimension with longitudes, compared on the circle.', GraphQLFloat, rangeOf.longitude, near(GraphQLFloat, ' on the circle')), // prettier-ignore
    number: selection('NumberSelection', 'Positions along a dimension with numbers.', GraphQLFloat, rangeOf.number, near(GraphQLFloat)), // prettier-ignore
    integer: selection('IntegerSelection', 'Positions along a dimension with 64-bit integers.', bigInt, rangeOf.integer, near(bigInt)), // prettier-ignore
    text: selection(
      'TextSelection',
      'Positions along a dimension with text.',
      GraphQLString,
      rangeOf.text,
      {},
    ),
    other: selection('AnySelection', 'Positions along a dimension with labels of different kinds.', json, rangeOf.other, near(json)), // prettier-ignore
    none: new GraphQLInputObjectType({
      name: 'IndexSelection',
      isOneOf: true,
      description: 'Positions along a dimension without labels. Exactly one field must be set.',
      fields: positions,
    }),
  };
  const targets: Partial<Record<LabelKind, GraphQLScalarType>> = {
    date: partialDate,
    longitude: GraphQLFloat,
    number: GraphQLFloat,
    integer: bigInt,
    other: json,
  };
  return { PartialDate: partialDate, of: (label) => types[label], target: (label) => targets[label] };
}
