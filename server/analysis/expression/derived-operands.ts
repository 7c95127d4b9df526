/**
 * Operands that are computed from the labels of a variable: parts of dates, times as numbers, and comparisons with text.
 * In the expression, they are replaced by names.
 */
import {
  type DatePartName,
  datePartNames,
  datePartOf,
  type DatePartOf,
  decimalYear,
} from '../../dataset/calendar/date-parts.js';
import { splitDay } from '../../dataset/calendar/date-text.js';
import { ticksPerSecond } from '../../dataset/calendar/parse-time-units.js';
import { runsOfPart } from '../../dataset/grouping/calendar-groups.js';
import { sortedDirection } from '../../dataset/labels/label-search.js';
import type { CoordinateReader } from '../../dataset/coordinate-reader.js';
import type { TimeAxis } from '../../dataset/decode/decoding.js';
import type { LabelKeys } from '../../dataset/labels/label-keys.js';
import type { Variable } from '../../dataset/variable.js';
import { type Block, inTurns, type KnownValues, numberType } from '../../zarr/index.js';
import type { Node, OperationName } from './syntax.js';
import { errorAt } from './tokens.js';

const comparisons = ['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual'] as const;
type Comparison = (typeof comparisons)[number];

export interface DerivedOperand {
  /** The name in the expression, which no variable has. */
  readonly name: string;
  readonly variable: string;
  readonly column: number;
  readonly of: { readonly part: DateFunction } | { readonly comparison: Comparison; readonly text: string };
}

/** Functions of dates. Their results are float64. */
export const dateFunctions = [...datePartNames, 'seconds', 'days', 'decimalyear'] as const;
export type DateFunction = (typeof dateFunctions)[number];

export function isDateFunction(name: string): name is DateFunction {
  return dateFunctions.some((known) => known === name);
}

function isComparisonName(name: OperationName): name is Comparison {
  return comparisons.some((known) => known === name);
}

const mirrored: Readonly<Record<Comparison, Comparison>> = {
  equal: 'equal',
  notEqual: 'notEqual',
  less: 'greater',
  lessOrEqual: 'greaterOrEqual',
  greater: 'less',
  greaterOrEqual: 'lessOrEqual',
};

/** Replaces derived operands by names. @param derived receives them */
export function withDerived(node: Node, derived: Map<string, DerivedOperand>): Node {
  if (node.kind !== 'call') return node;
  const own = derivedOf(node);
  if (own === undefined)
    return { ...node, operands: node.operands.map((operand) => withDerived(operand, derived)) };
  derived.set(own.name, own);
  return { kind: 'name', name: own.name, column: node.column };
}

/** @throws InputError for a function of dates whose operand is not a name */
function derivedOf({
  operation,
  operands,
  column,
}: Extract<Node, { kind: 'call' }>): DerivedOperand | undefined {
  const [a, b] = operands;
  if (isDateFunction(operation)) {
    if (a?.kind !== 'name') throw errorAt(column, `${operation} takes the name of a coordinate with dates`);
    return { name: `${operation}(${a.name})`, variable: a.name, column: a.column, of: { part: operation } };
  }
  if (!isComparisonName(operation) || a === undefined || b === undefined) return undefined;
  const [name, text, comparison] =
    a.kind === 'name' && b.kind === 'text' ? [a, b, operation] : b.kind === 'name' && a.kind === 'text' ? [b, a, mirrored[operation]] : [undefined, undefined, operation]; // prettier-ignore
  if (name === undefined || text === undefined) return undefined;
  const of = { comparison, text: text.text };
  return { name: `${name.name} ${comparison} ${JSON.stringify(text.text)}`, variable: name.name, column: name.column, of }; // prettier-ignore
}

/**
 * The values of a derived operand along the dimension of its variable.
 * @param variable a variable of one dimension
 * @throws InputError for labels that are neither dates nor text; SelectionError for text that cannot be a label
 */
export async function derivedValues(
  { of, variable: name, column }: DerivedOperand,
  variable: Variable,
  coordinates: CoordinateReader,
): Promise<KnownValues & { readonly values: Block }> {
  const { known, keys, decoding } = await coordinates.labels(variable);
  await coordinates.reserve(keys.size * Float64Array.BYTES_PER_ELEMENT);
  if ('comparison' in of) {
    const isDuration = keys.countOf?.(of.text) !== undefined;
    if (decoding.times === undefined && keys.form !== 'text' && !isDuration)
      throw errorAt(column, `"${name}" has ${keys.form}, which cannot be compared with "${of.text}"`);
    const { first } = keys.span(of.text);
    const bytes = await inTurns(compared(keys, first, of.comparison));
    return { ...known, values: { dtype: numberType('bool'), shape: [keys.size], bytes } };
  }
  if (decoding.times === undefined)
    throw errorAt(column, `${of.part} takes a coordinate with dates; "${name}" has ${keys.form}`);
  const numbers = await inTurns(partsOfDates(keys, decoding.times, of.part));
  return { ...known, values: { dtype: numberType('float64'), shape: [keys.size], bytes: new Uint8Array(numbers.buffer) } }; // prettier-ignore
}

const STEP = 4096;

function* compared(
  keys: LabelKeys,
  with_: string | number | bigint | boolean,
  comparison: Comparison,
): Generator<void, Uint8Array, void> {
  const results = new Uint8Array(keys.size);
  for (let i = 0; i < results.length; i++) {
    const key = keys.at(i);
    results[i] = Number(key === undefined ? comparison === 'notEqual' : holds(key, with_, comparison));
    if (i % STEP === STEP - 1) yield;
  }
  return results;
}

type Key = string | number | bigint | boolean;

function holds(a: Key, b: Key, comparison: Comparison): boolean {
  switch (comparison) {
    case 'equal':
      return a === b;
    case 'notEqual':
      return a !== b;
    case 'less':
      return a < b;
    case 'lessOrEqual':
      return a <= b;
    case 'greater':
      return a > b;
    case 'greaterOrEqual':
      return a >= b;
  }
}

function* partsOfDates(
  keys: LabelKeys,
  { style, tick }: TimeAxis,
  part: DateFunction,
): Generator<void, Float64Array<ArrayBuffer>, void> {
  const numberOf = functionOf(style.calendar, part);
  const perSecond = ticksPerSecond(tick);
  const numbers = new Float64Array(keys.size);
  const runs = isDatePart(part)
    ? runsOfPart({ keys, style, direction: sortedDirection(keys) }, part)
    : undefined;
  if (runs !== undefined) {
    for (const { from, to, day, seconds } of runs) {
      numbers.fill(numberOf(day, seconds), from, to);
      yield;
    }
    return numbers;
  }
  for (let i = 0; i < numbers.length; i++) {
    const key = keys.at(i);
    if (typeof key === 'bigint') {
      const [day, rest] = splitDay(key, 86_400 * perSecond);
      numbers[i] = numberOf(day, rest / perSecond);
    } else numbers[i] = NaN;
    if (i % STEP === STEP - 1) yield;
  }
  return numbers;
}

function isDatePart(name: DateFunction): name is DatePartName {
  return datePartNames.some((known) => known === name);
}

function functionOf(calendar: TimeAxis['style']['calendar'], part: DateFunction): DatePartOf {
  const epoch = calendar.dayOf(1970, 1, 1);
  switch (part) {
    case 'seconds':
      return (day, seconds) => (day - epoch) * 86_400 + seconds;
    case 'days':
      return (day, seconds) => day - epoch + seconds / 86_400;
    case 'decimalyear':
      return decimalYear(calendar);
    default:
      return datePartOf(calendar, part);
  }
}
