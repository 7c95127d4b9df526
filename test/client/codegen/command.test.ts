import { expect, test } from 'vitest';
import { omissions } from '../../../client/codegen/command.js';

test('omitted arrays are one line with their number', () => {
  expect(omissions(['a is damaged'])).toBe('omitted 1 array: a is damaged');
  expect(omissions(['a is damaged', 'b is damaged', 'c'])).toBe('omitted 3 arrays; the first: a is damaged');
});
