import { describe, expect, it } from 'vitest';
import {
  addCosts,
  type Cost,
  costError,
  exceededOf,
  excessOf,
  limitsAfter,
  noCost,
} from '../../server/core/cost.js';
import type { Limits } from '../../server/core/limits.js';

const limits: Limits = {
  maxOutputBytes: 1,
  maxDecodedBytes: 2,
  maxReducedBytes: 3,
  maxWork: 4,
  maxChunks: 5,
};
const atLimits: Cost = { outputBytes: 1, decodedBytes: 2, reducedBytes: 3, work: 4, chunks: 5 };
const amounts = [
  ['outputBytes', 'maxOutputBytes'],
  ['decodedBytes', 'maxDecodedBytes'],
  ['reducedBytes', 'maxReducedBytes'],
  ['work', 'maxWork'],
  ['chunks', 'maxChunks'],
] as const;

describe('a cost', () => {
  it('may be as high as the limits', () => {
    expect(excessOf(atLimits, limits)).toEqual([]);
    expect(excessOf(noCost, limits)).toEqual([]);
  });

  it.each(amounts)('with more %s exceeds only %s', (amount, limit) => {
    const excess = excessOf({ ...atLimits, [amount]: 10 }, limits);
    expect(excess).toEqual([{ limit, allowed: limits[limit], needed: 10 }]);
  });

  it.each(amounts)('adds %s to what is left of %s', (amount, limit) => {
    const twice = addCosts(atLimits, atLimits);
    expect(twice[amount]).toBe(2 * atLimits[amount]);
    expect(limitsAfter(twice, limits)[limit]).toBe(-limits[limit]);
  });

  it('that is not a number exceeds the limit', () => {
    expect(exceededOf([{ limit: 'maxWork', allowed: Infinity, needed: NaN }])).toHaveLength(1);
  });
});

it('an error names all exceeded limits', () => {
  const excess = excessOf({ ...noCost, outputBytes: 7, chunks: 8 }, limits);
  expect(
    costError(excess, { problem: 'too large', advice: 'select less', where: { path: '/a' } }),
  ).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    detail:
      'too large: maxOutputBytes allows 1, but 7 are needed; maxChunks allows 5, but 8 are needed; select less',
    where: { path: '/a' },
    excess,
    fits: undefined,
  });
});
