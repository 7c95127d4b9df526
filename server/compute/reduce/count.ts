/** COUNT has no state except the number of values, which every state has. */
import type { FinishSlot, Kernel } from '../kernel.js';
import { numberAt } from '../state.js';

export const countKernel: Kernel = {
  arrays: [],
  needsPositions: false,
  passes: 1,
  add: () => undefined,
  repeat: () => undefined,
  merge: () => undefined,
};

export const finishCount: FinishSlot = ({ count }, slot) => BigInt(numberAt(count, slot));
