/** Arrays of writers that neither the matrix nor the peers have (fixtures/writers/make_writers.py). */
import { describe, expect, test } from 'vitest';
import { expectCase, fixtures, readCases } from './cases.js';

const cases = readCases('writers');

describe('what other writers read back themselves', () => {
  test('has its cases', () => expect(cases.length).toBeGreaterThan(12));
  test.each(cases.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(`${fixtures}writers`, c));
});
