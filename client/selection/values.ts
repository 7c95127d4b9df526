/** Converts single values of selections to the gateway's input. */
import { InputError } from '../errors.js';

/**
 * Converts to the scalar BigInt: a number if it is exact, otherwise decimal digits.
 * @throws InputError BAD_SELECTION
 */
export function toIndex(index: unknown, where: string): number | string {
  // Normalises -0, which is a different number in CBOR.
  if (typeof index === 'number' && Number.isSafeInteger(index)) return index === 0 ? 0 : index;
  if (typeof index !== 'bigint') throw invalid(where, index);
  return toExactNumber(index);
}

export function toExactNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

const MAX_SHOWN_LENGTH = 80;

/** The error for a malformed selection. */
export function invalid(where: string, given: unknown): InputError {
  const shown = typeof given === 'object' && given !== null ? toJson(given) : String(given);
  const short = shown.length > MAX_SHOWN_LENGTH ? `${shown.slice(0, MAX_SHOWN_LENGTH)}...` : shown;
  return new InputError(
    'BAD_SELECTION',
    `${where} is ${short}; expected an index, [start, stop, step], { indices }, { mask }, { chunk }, or by label { at }, ` +
      '{ values }, { between: [from, to] }',
  );
}

function toJson(value: object): string {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' || (typeof each === 'number' && !Number.isFinite(each)) ? String(each) : each,
  );
  return text ?? '';
}
