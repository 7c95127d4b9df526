/** The groups among some positions. Pure; yields after every few positions, because a chunk can have millions. */

/** The groups that occur among some positions, numbered consecutively. */
export interface PresentGroups {
  /** The groups, ascending. */
  readonly groups: Float64Array;
  /** Index in `groups` of the group of each position; -1 for none. */
  readonly of: Int32Array;
}

/** Number of positions processed between two yields. */
export const POSITIONS_PER_STEP = 2 ** 16;

/** @param own the group of each position; negative for none */
export function* presentGroups(own: Int32Array): Generator<void, PresentGroups, void> {
  let [least, most] = [Infinity, -1];
  for (let i = 0; i < own.length; i++) {
    if (i % POSITIONS_PER_STEP === POSITIONS_PER_STEP - 1) yield;
    const group = own[i] ?? -1;
    if (group < 0) continue;
    if (group < least) least = group;
    if (group > most) most = group;
  }
  const numbers = new Int32Array(Math.max(0, most - least + 1));
  for (let i = 0; i < own.length; i++) {
    if (i % POSITIONS_PER_STEP === POSITIONS_PER_STEP - 1) yield;
    const group = own[i] ?? -1;
    if (group >= 0) numbers[group - least] = 1;
  }
  let count = 0;
  for (const isPresent of numbers) count += isPresent;
  const groups = new Float64Array(count);
  for (let i = 0, number = 0; i < numbers.length; i++)
    if (numbers[i] === 1) {
      numbers[i] = number;
      groups[number++] = least + i;
    }
  const of = new Int32Array(own.length);
  for (let i = 0; i < own.length; i++) {
    if (i % POSITIONS_PER_STEP === POSITIONS_PER_STEP - 1) yield;
    const group = own[i] ?? -1;
    of[i] = group < 0 ? -1 : (numbers[group - least] ?? -1);
  }
  return { groups, of };
}
