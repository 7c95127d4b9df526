/** Single values of selections as the gateway takes them. */
import { InputError } from '../errors.js';

export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

/** As the scalar BigInt takes it: a number where that is exact, else decimal digits. @throws InputError BAD_SELECTION */
export function toIndex(index: unknown, where: string): number | string {
  // -0 is the index 0, but another number on the wire.
  if (typeof index === 'number' && Number.isSafeInteger(index)) return index === 0 ? 0 : index;
  if (typeof index !== 'bigint') throw bad(where, index);
  return toExactNumber(index);
}

export function toExactNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** What to throw for a selection that is none of the forms. */
export function bad(where: string, given: unknown): InputError {
  const shown = typeof given === 'object' && given !== null ? toJson(given) : String(given);
  return new InputError(
    'BAD_SELECTION',
    `${where} is ${shown.length > 80 ? `${shown.slice(0, 80)}...` : shown}; expected an index, [start, stop, step], ` +
      `'start:stop:step', or one of { slice }, { indices }, { mask }, { chunk }, and by label { at }, { values }, ` +
      '{ between: [from, to] }',
  );
}

function toJson(value: object): string {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? String(each) : each,
  );
  return text ?? '';
}
