import { describe, expect, test } from 'vitest';
import { assertFixedNames, createNames } from '../../server/typed/names.js';

describe('GraphQL names', () => {
  test.each([
    ['SST', 'SST'],
    ['a__b', 'a__b'],
    ['2m temperature', 'x2m_temperature'],
    ['t.2', 't_2'],
    ['Ünïcode', 'Unicode'],
    ['0', 'x0'],
    ['__x', 'x'],
    ['温度', 'u6E29u5EA6'],
    ['', 'x'],
    ['---', 'x'],
    ['true', 'true_'],
    ['null', 'null_'],
    ['_private', 'private'],
    ['a  b', 'a_b'],
    ['½', 'x1_2'],
  ])('%j becomes %s', (name, expected) => {
    expect(createNames([name], {})(name)).toBe(expected);
  });

  test('of names with one result, the one that equals it keeps it', () => {
    const names = createNames(['t.2', 't_2', 't 2'], {});
    expect(names('t_2')).toBe('t_2');
    expect(names('t.2')).toBe('t_2_c2105c');
    expect(names('t 2')).toMatch(/^t_2_[0-9a-f]{6}$/);
  });

  test('all names are different, valid, and do not depend on their order', () => {
    const given = [
      'a b',
      'a-b',
      'a_b',
      'A b',
      'true',
      'true_',
      'a_b_000000',
      '\u{1F600}',
      '\u{1F601}',
      '温',
      'é',
      'e',
    ];
    const names = createNames(given, {});
    const reversed = createNames(given.toReversed(), {});
    const results = given.map((name) => names(name));
    expect(new Set(results).size).toBe(given.length);
    for (const [i, result] of results.entries()) {
      expect(result).toMatch(/^[A-Za-z][A-Za-z0-9_]*$/);
      expect(reversed(given[i] ?? '')).toBe(result);
    }
  });

  test('fixed names replace derived ones, which then get a hash', () => {
    const names = createNames(['t.2', 't_2'], { 't.2': 't_2' });
    expect(names('t.2')).toBe('t_2');
    expect(names('t_2')).toMatch(/^t_2_[0-9a-f]{6}$/);
  });

  test.each([[{ a: '_a' }], [{ a: '1' }], [{ a: 'true' }], [{ a: 'x', b: 'x' }], [{ a: '' }]])(
    'fixed names %j are rejected',
    (fixed) => {
      expect(() => assertFixedNames(fixed)).toThrow('typedSchema.names');
    },
  );
});
