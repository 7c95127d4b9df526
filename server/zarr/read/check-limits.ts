/** Compares the cost of a plan with all limits, so that the error names every exceeded limit. */
import { LimitError, type Excess } from '../errors.js';
import type { Limits } from '../limits.js';
import type { PlanCost } from './plan.js';

export function exceededLimits(cost: PlanCost, limits: Limits): Excess[] {
  const decoded = Math.max(cost.decodedBytes, cost.chunks === 0 ? 0 : cost.stepBytes);
  const checks: Excess[] = [
    { limit: 'maxOutputBytes', allowed: limits.maxOutputBytes, needed: cost.allocatedBytes },
    { limit: 'maxDecodedBytes', allowed: limits.maxDecodedBytes, needed: decoded },
    { limit: 'maxReducedBytes', allowed: limits.maxReducedBytes, needed: cost.reducedBytes },
    { limit: 'maxChunks', allowed: limits.maxChunks, needed: cost.chunks },
  ];
  return checks.filter(({ allowed, needed }) => !(needed <= allowed));
}

/** @throws LimitError with every exceeded limit, the excess and a suggestion */
export function assertWithinLimits(cost: PlanCost, limits: Limits): void {
  const excess = exceededLimits(cost, limits);
  if (excess.length === 0) return;
  const parts = excess.map(
    ({ limit, allowed, needed }) => `${limit} is ${allowed}, but ${needed} are needed`,
  );
  throw new LimitError(`the selection is too large: ${parts.join('; ')}; select fewer elements`, {
    excess,
  });
}
