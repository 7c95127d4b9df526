/**
 * Reads units: products, quotients and integer powers of names and numbers in the forms of UDUNITS, such as `m s-1`,
 * `kg m**-2`, `m/s`, `10 mm/day` and `W.m^-2`. Pure.
 */
import { InputError } from '../../zarr/index.js';
import { dimensionless, multiplied, ratioOf, scaled, type Unit, unitNamed } from './unit-table.js';

/** Maximum length of units in characters. */
export const MAX_UNITS_LENGTH = 100;
const MAX_POWER = 16;
const MAX_EXPONENT = 40;

const numberForm = /^\d+(?:\.\d*)?(?:[eE][-+]?\d+)?/;
const nameForm = /^[A-Za-z_%°µμ]+/;
const powerForm = /^(?:\s*(?:\*\*|\^)\s*([-+]?\d+)|([-+]?\d+))/;
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * @returns the number 1 for units that are empty or `1`
 * @throws InputError for unknown units, and for offsets, logarithms and other forms
 */
export function parseUnits(text: string): Unit {
  const plain = text
    .trim()
    .replaceAll(/[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (power) => `^${Array.from(power, digitOf).join('')}`);
  if (plain.length > MAX_UNITS_LENGTH)
    throw new InputError(`units may have at most ${MAX_UNITS_LENGTH} characters`);
  const reader = { text: plain, at: 0, whole: text };
  const unit = plain === '' ? dimensionless : readProduct(reader, 0);
  if (reader.at < plain.length) throw unreadable(reader);
  return unit;
}

function digitOf(superscript: string): string {
  return superscript === '⁻' ? '-' : String(superscripts.indexOf(superscript));
}

interface Reader {
  readonly text: string;
  at: number;
  /** As given, for messages. */
  readonly whole: string;
}

function unreadable({ whole }: Reader): InputError {
  return new InputError(
    `the units ${JSON.stringify(whole)} are not supported; expected products of powers, such as "m s-1" or "kg/m^2"`,
  );
}

function readProduct(reader: Reader, depth: number): Unit {
  let product = readPower(reader, depth, true);
  for (;;) {
    const rest = reader.text.slice(reader.at);
    const operator = /^(?:\s*(\/|\bper\b)\s*|\s*[*.·]\s*|\s+)/.exec(rest);
    if (rest === '' || rest.startsWith(')') || operator === null) return product;
    reader.at += operator[0].length;
    const next = readPower(reader, depth, false);
    product = multiplied(product, next, operator[1] === undefined ? 1 : -1);
  }
}

/** @param isOnly whether nothing precedes it: only then, it keeps the zero of a temperature scale */
function readPower(reader: Reader, depth: number, isOnly: boolean): Unit {
  const base = readBase(reader, depth);
  const match = powerForm.exec(reader.text.slice(reader.at));
  if (match === null) return isOnly ? base : { ...base, origin: dimensionless.origin };
  reader.at += match[0].length;
  const power = Number(match[1] ?? match[2]);
  if (!(Math.abs(power) <= MAX_POWER)) throw unreadable(reader);
  return multiplied(dimensionless, base, power);
}

function readBase(reader: Reader, depth: number): Unit {
  const rest = reader.text.slice(reader.at);
  if (rest.startsWith('(')) {
    if (depth > 8) throw unreadable(reader);
    reader.at++;
    const inner = readProduct(reader, depth + 1);
    if (reader.text[reader.at] !== ')') throw unreadable(reader);
    reader.at++;
    return inner;
  }
  const number = numberForm.exec(rest)?.[0];
  if (number !== undefined) {
    if (Math.abs(Number(number.split(/e/i)[1] ?? '0')) > MAX_EXPONENT || Number(number) === 0)
      throw unreadable(reader);
    reader.at += number.length;
    return scaled(ratioOf(number));
  }
  const name = nameForm.exec(rest)?.[0];
  if (name === undefined) throw unreadable(reader);
  const unit = unitNamed(name);
  if (unit === undefined)
    throw new InputError(`unknown unit ${JSON.stringify(name)} in ${JSON.stringify(reader.whole)}`);
  reader.at += name.length;
  return unit;
}
