import { expect, test } from 'vitest';
import { requestIdOf } from '../../server/http/exchange.js';

test('a valid id is kept', () => {
  expect(requestIdOf('Root=1-67891233-abcdef012345678912345678')).toBe(
    'Root=1-67891233-abcdef012345678912345678',
  );
});

test.each([undefined, '', 'a b', 'a"b', '<script>', 'x'.repeat(101), ['a', 'b']])(
  '%j is replaced by a new id',
  (incoming) => {
    const id = requestIdOf(incoming);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(requestIdOf(incoming)).not.toBe(id);
  },
);
