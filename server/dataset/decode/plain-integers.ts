/** Integers that are decoded by multiplication and addition alone, as most dates are stored. */
import { isIntegerName } from '../../../wire/data-types.js';
import {
  type Block,
  factsOf,
  type FixedSizeType,
  isNumberSequence,
  type NumberSequence,
  numberType,
  type PackedNumbers,
  type SequenceFacts,
  toTypedArray,
} from '../../zarr/index.js';

export interface PlainIntegers {
  /** The stored type. */
  readonly dtype: FixedSizeType;
  readonly values: NumberSequence;
  readonly facts: SequenceFacts;
  readonly ends: readonly [least: number | bigint, most: number | bigint];
}

/** The array of each block, so that its order and its extremes are computed once. */
const known = new WeakMap<Block, NumberSequence>();

/** @returns undefined for no values, for scaled ones, and if missing ones may be among them */
export function* plainIntegers(
  stored: Block,
  { name, scale, offset, packedRange, unpackedRange, missing }: PackedNumbers,
): Generator<void, PlainIntegers | undefined, void> {
  const isPlain = [scale, offset, packedRange, unpackedRange].every((part) => part === undefined);
  if (!isPlain || !isIntegerName(name) || !('bytes' in stored)) return undefined;
  const values = known.get(stored) ?? toTypedArray({ ...stored, dtype: numberType(name) });
  if (!isNumberSequence(values)) return undefined;
  known.set(stored, values);
  const facts = yield* factsOf(values);
  const { ends } = facts;
  if (ends === undefined || missing.some((value) => value >= ends[0] && value <= ends[1])) return undefined;
  return { dtype: stored.dtype, values, facts, ends };
}
