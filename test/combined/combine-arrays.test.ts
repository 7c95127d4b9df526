/** What cannot be combined is refused with the names of the members; random members give what arrays in memory give. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCombinedStore } from '../../server/combined/combined-store.js';
import { get } from '../../server/zarr/index.js';
import { along, combined, type SmallArray, smallStore, valuesOf } from './small-members.js';

type Members = Readonly<Record<string, Readonly<Record<string, SmallArray>>>>;

const x = (values: readonly number[], attributes = {}): SmallArray => ({ dims: ['x'], values, attributes });
const dates = (units: string, values: readonly number[], more: Partial<SmallArray> = {}) => ({
  time: { dims: ['time'], values, attributes: { units }, ...more },
});

describe('concatenated members', () => {
  test.each<[string, Members, string]>(
    [
      [
        'labels that overlap',
        { a: along([1, 2, 3]), b: along([3, 4]) },
        'the labels of "a" (1 to 3) and "b" (3 to 4) overlap',
      ],
      [
        'labels within others',
        { a: along([1, 9]), b: along([4, 5]) },
        'the labels of "a" (1 to 9) and "b" (4 to 5) overlap',
      ],
      [
        'labels that ascend and descend',
        { a: along([1, 2]), b: along([9, 8]) },
        'the labels of "a" ascend, those of "b" descend',
      ],
      [
        'unsorted labels',
        { a: along([1, 2]), b: along([9, 8, 10]) },
        'the labels of "b" are not sorted, or some are missing',
      ],
      [
        'missing labels',
        { a: along([1, 2]), b: along([9, NaN]) },
        'the labels of "b" are not sorted, or some are missing',
      ],
      ['no labels', { a: along([1, 2]), b: { v: { dims: ['time'], values: [1] } } }, '"b" has no labels'],
      ['no labels at all', { a: { v: { dims: ['time'], values: [1] } } }, 'no member has labels'],
      [
        'labels of other kinds',
        { a: along([1, 2]), b: { ...along([3]), time: { dims: ['time'], values: ['x'], dtype: 'string' } } },
        'the labels are of different kinds: numbers in "a", text in "b"',
      ],
      ['other arrays', { a: along([1], { w: x([1]) }), b: along([2]) }, '"b" lacks the array "/w" of "a"'],
      ['further arrays', { a: along([1]), b: along([2], { w: x([1]) }) }, '"a" lacks the array "/w" of "b"'],
      [
        'another size',
        { a: along([1], { w: x([1]) }), b: along([2], { w: x([1, 2]) }) },
        '"/w" has along "x" the size 1 in "a" and 2 in "b"',
      ],
      [
        'another dimension',
        { a: along([1], { w: x([1]) }), b: along([2], { w: { dims: ['y'], values: [1] } }) },
        '"/w" has the dimensions (x) in "a" and (y) in "b"',
      ],
      [
        'another data type',
        { a: along([1]), b: along([2], { v: { dims: ['time'], values: [1], dtype: 'float32' } }) },
        '"/v" has the data type float64 in "a" and float32 in "b"',
      ],
      [
        'another scale',
        {
          a: along([1], { w: { dims: ['time'], values: [1], attributes: { scale_factor: 0.1 } } }),
          b: along([2], { w: { dims: ['time'], values: [1], attributes: { scale_factor: 0.2 } } }),
        },
        '"/w" has "scale_factor" 0.1 in "a" and 0.2 in "b"',
      ],
      [
        'no scale',
        {
          a: along([1], { w: { dims: ['time'], values: [1], attributes: { scale_factor: 0.1 } } }),
          b: along([2], { w: { dims: ['time'], values: [1] } }),
        },
        '"/w" has "scale_factor" 0.1 in "a" and no value in "b"',
      ],
      [
        'other units',
        { a: along([1], { w: x([1], { units: 'm' }) }), b: along([2], { w: x([1], { units: 'km' }) }) },
        '"/w" has "units" "m" in "a" and "km" in "b"',
      ],
      [
        'another missing value',
        {
          a: along([1], { w: { dims: ['time'], values: [1], attributes: { _FillValue: 1 } } }),
          b: along([2], { w: { dims: ['time'], values: [1], attributes: { _FillValue: 2 } } }),
        },
        '"/w" has "_FillValue" 1 in "a" and 2 in "b"',
      ],
      [
        'another coordinate',
        { a: along([1], { x: x([1, 2]) }), b: along([2], { x: x([1, 3]) }) },
        'the values of "/x" differ between "a" and "b"',
      ],
      [
        'other data without the dimension',
        {
          a: along([1], { m: { dims: ['y', 'x'], values: [[1]] } }),
          b: along([2], { m: { dims: ['y', 'x'], values: [[2]] } }),
        },
        'the values of "/m" differ between "a" and "b"',
      ],
      [
        'another calendar',
        {
          a: dates('days since 2001-01-01', [1]),
          b: dates('days since 2001-01-01', [5], {
            attributes: { units: 'days since 2001-01-01', calendar: 'noleap' },
          }),
        },
        'dates of standard in "a", dates of noleap in "b"',
      ],
      [
        'numbers instead of dates',
        { a: dates('days since 2001-01-01', [1]), b: dates('days', [500]) },
        'dates of standard in "a", numbers in "b"',
      ],
      ['arrays without names of dimensions', { a: along([1]), b: along([2]), c: along([3]) }, ''],
    ].filter(([, , message]) => message !== '') as [string, Members, string][],
  )('are refused with %s', async (_, members, message) => {
    // prettier-ignore
    const store = await combined(members);
    const found = await valuesOf(store, '/time');
    expect(found).toContain('INVALID_METADATA: the stores cannot be concatenated along "time": ');
    expect(found).toContain(message);
  });

  test('may have different coordinates if only metadata is compared', async () => {
    const members = { a: along([1], { x: x([1, 2]) }), b: along([2], { x: x([1, 3]) }) };
    const store = await combined(members, { along: 'time', comparesValues: false });
    expect(await valuesOf(store, '/x')).toEqual([1, 2]);
  });

  test('of different formats are refused', async () => {
    const members = [
      { name: 'a', store: await smallStore('a', along([1])) },
      { name: 'b', store: await smallStore('b', along([2]), 2) },
    ];
    const store = createCombinedStore({ label: 'all', members, along: 'time' });
    expect(await valuesOf(store, '/v')).toContain('"a" has Zarr format 3, "b" format 2');
  });

  test('that are arrays, missing, or none are refused', async () => {
    const empty = await smallStore('a', {});
    await empty.delete(['zarr.json']);
    const of = (members: readonly { name: string; store: typeof empty }[]) =>
      valuesOf(createCombinedStore({ label: 'all', members, along: 'time' }), '/v');
    expect(await of([{ name: 'a', store: empty }])).toContain('"a" has no Zarr metadata');
    expect(await of([])).toContain('the combined store has no members');
  });

  test('without labels contribute nothing, and descending ones are in their order', async () => {
    const store = await combined({ b: along([2, 1]), a: along([9, 8]), c: along([]), d: along([5]) });
    expect(await valuesOf(store, '/time')).toEqual([9, 8, 5, 2, 1]);
    expect(await valuesOf(store, '/v')).toEqual([90, 80, 50, 20, 10]);
  });

  test('have dates in one unit, also beyond the units of the others', async () => {
    const store = await combined({
      a: dates('days since 2001-01-01', [0, 1], { dtype: 'int16' }),
      b: dates('hours since 2001-01-03', [0, 12], { dtype: 'int32' }),
      c: dates('milliseconds since 2001-01-04', [1], { dtype: 'int64' }),
    });
    const day = 86_400_000n;
    const start = 11_323n * day;
    expect(await valuesOf(store, '/time')).toEqual([
      start,
      start + day,
      start + 2n * day,
      start + 2n * day + day / 2n,
      start + 3n * day + 1n,
    ]);
  });

  test('of groups below the root are combined too', async () => {
    const store = await combined({
      a: { 'g/time': { dims: ['time'], values: [1] }, 'g/h/v': { dims: ['time'], values: [10] } },
      b: { 'g/time': { dims: ['time'], values: [2] }, 'g/h/v': { dims: ['time'], values: [20] } },
    });
    expect(await valuesOf(store, '/g/h/v')).toEqual([10, 20]);
  });
});

/** Values of every kind of data type. */
const kinds: readonly (readonly [dtype: string, value: (i: number) => unknown])[] = [
  ['bool', (i) => i % 2 === 0],
  ['uint64', (i) => BigInt(i) + 2n ** 60n],
  ['float16', (i) => i / 2],
  ['complex64', (i) => [i, -i]],
  ['<M8[s]', (i) => BigInt(i)],
  ['<m8[h]', (i) => BigInt(i)],
  ['string', (i) => `é${i}`],
  ['|S5', (i) => new TextEncoder().encode(`ab${i % 10}`)],
  ['<U3', (i) => `é${i % 10}`],
  ['>f4', (i) => i],
  ['>U2', () => 'é'],
  ['r16', (i) => Uint8Array.of(i, 1)],
];

test.each(kinds)('values of type %s are the same in chunks that do not align', async (dtype, value) => {
  for (const format of [2, 3] as const) {
    const rows = Array.from({ length: 9 }, (_, i) => [value(2 * i), value(2 * i + 1)]);
    const parts = [rows.slice(0, 3), rows.slice(3, 4), rows.slice(4)];
    let next = 1;
    const members = await Promise.all(
      parts.map(async (values, m) => {
        const time = { dims: ['time'], values: values.map(() => next++), dtype: 'int32' };
        const v = { dims: ['time', 'x'], values, dtype, chunks: m === 1 ? [1000, 1000] : [2, 1] };
        return { name: `m${m}`, store: await smallStore(`m${m}`, { time, v }, format) };
      }),
    );
    const whole = await smallStore('whole', { v: { dims: ['time', 'x'], values: rows, dtype } }, format);
    for (const order of [members, members.toReversed()]) {
      const store = createCombinedStore({ label: 'all', members: order, along: 'time' });
      expect(await valuesOf(store, '/v')).toEqual(await valuesOf(whole, '/v'));
    }
  }
});

test('small numbers are computed as wider ones in chunks that do not align', async () => {
  const members = await Promise.all(
    [0, 3].map(async (first) => {
      const store = await smallStore(`m${first}`, along([first, first + 1, first + 2]));
      const document = {
        ...{ zarr_format: 3, node_type: 'array', shape: [3], data_type: 'bfloat16', fill_value: '0x3fc0' },
        chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
        chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
        codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
        ...{ attributes: {}, dimension_names: ['time'] },
      };
      await store.set('small/zarr.json', new TextEncoder().encode(JSON.stringify(document)));
      // 1 and 2; the second chunk is absent, and has the fill value.
      await store.set('small/c/0', Uint8Array.of(0x80, 0x3f, 0x00, 0x40));
      return { name: `m${first}`, store };
    }),
  );
  const store = createCombinedStore({ label: 'all', members, along: 'time', maxAgeMs: 0 });
  expect(await valuesOf(store, 'small')).toEqual([1, 2, 1.5, 1, 2, 1.5]);
});

test('long doubles of Zarr v2 are computed as wider ones in chunks that do not align', async () => {
  const members = await Promise.all(
    [1, 4].map(async (first) => {
      const store = await smallStore(`m${first}`, along([first, first + 1, first + 2]), 2);
      const document = {
        ...{ zarr_format: 2, shape: [3], chunks: [2], dtype: '<f16', fill_value: 0 },
        ...{ compressor: null, filters: null, order: 'C' },
      };
      const put = (name: string, json: object): Promise<unknown> =>
        store.set(`long/${name}`, new TextEncoder().encode(JSON.stringify(json)));
      await put('.zarray', document);
      await put('.zattrs', { _ARRAY_DIMENSIONS: ['time'] });
      // 1 and 2 in the 80 bits of x87.
      const one = [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f, 0, 0, 0, 0, 0, 0];
      const two = [0, 0, 0, 0, 0, 0, 0, 0x80, 0x00, 0x40, 0, 0, 0, 0, 0, 0];
      await store.set('long/0', Uint8Array.from([...one, ...two]));
      return { name: `m${first}`, store };
    }),
  );
  const store = createCombinedStore({ label: 'all', members, along: 'time', maxAgeMs: 0 });
  expect(await valuesOf(store, 'long')).toEqual([1, 2, 0, 1, 2, 0]);
});

test('a chunk that is longer than its array does not take its memory', async () => {
  const huge = {
    dims: ['time', 'x'],
    values: [[0]],
    chunks: [2 ** 18, 2 ** 17],
    dtype: 'int8',
    isStored: false,
  };
  const store = await combined({ a: along([1], { w: huge }), b: along([2], { w: huge }) });
  expect(await valuesOf(store, '/w')).toEqual([[0], [0]]);
  expect(await get(store, 'w/c/1/0')).toMatchObject({ total: 1 });
});

describe('random members', () => {
  const dtype = fc.constantFrom('float64', 'int16', 'uint8', 'bool', 'string');
  const member = fc.record({
    length: fc.integer({ min: 0, max: 7 }),
    chunks: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })),
  });
  const given = fc.record({
    dtype,
    members: fc.array(member, { minLength: 1, maxLength: 5 }),
    isEqual: fc.boolean(),
    width: fc.integer({ min: 1, max: 4 }),
    isFirst: fc.boolean(),
    format: fc.constantFrom<2 | 3>(2, 3),
  });

  test('give the values of all in order', () =>
    fc.assert(
      fc.asyncProperty(given, async ({ dtype: type, members, isEqual, width, isFirst, format }) => {
        // In format 2, the fill value 0 would be a missing label.
        let next = 1;
        const lists = members.map(({ length }) => Array.from({ length }, () => next++));
        if (next === 1) return;
        const value = (i: number, j: number): unknown =>
          type === 'string' ? `${i}é${j}` : type === 'bool' ? (i + j) % 2 === 0 : (i * 3 + j) % 200;
        const rows = (list: readonly number[]): unknown => {
          const table = list.map((i) => Array.from({ length: width }, (_, j) => value(i, j)));
          return isFirst ? table : Array.from({ length: width }, (_, j) => table.map((row) => row[j]));
        };
        const stores = await Promise.all(
          lists.map(async (list, m) => {
            const [a, b] = members[isEqual ? 0 : m]?.chunks ?? [1, 1];
            const v = { dims: isFirst ? ['time', 'x'] : ['x', 'time'], values: rows(list), dtype: type, chunks: isFirst ? [a, b] : [b, a] }; // prettier-ignore
            const time = { dims: ['time'], values: list };
            // The shape of an empty list of lists is not known.
            const arrays = list.length === 0 ? {} : { v };
            return { name: `m${m}`, store: await smallStore(`m${m}`, { time, ...arrays }, format), isEmpty: list.length === 0 }; // prettier-ignore
          }),
        );
        const filled = stores.filter(({ isEmpty }) => !isEmpty);
        const store = createCombinedStore({ label: 'all', members: filled.toReversed(), along: 'time' });
        expect(await valuesOf(store, '/v')).toEqual(rows(lists.flat()));
      }),
      { numRuns: 60 },
    ));
});

describe('merged members', () => {
  const of = (members: Members) => combined(members, { along: undefined });

  test('have the variables of all, and equal ones once', async () => {
    const shared = x([1, 2]);
    const store = await of({ a: { x: shared, v: x([3, 4]) }, b: { x: shared, w: x([5, 6]) } });
    expect(await valuesOf(store, '/v')).toEqual([3, 4]);
    expect(await valuesOf(store, '/w')).toEqual([5, 6]);
    expect(await valuesOf(store, '/x')).toEqual([1, 2]);
  });

  test.each<[string, Members, string]>([
    [
      'another size of a dimension',
      { a: { v: x([1]) }, b: { w: x([1, 2]) } },
      'the dimension "x" has 1 elements in "a" and 2 in "b"',
    ],
    ['other values', { a: { v: x([1]) }, b: { v: x([2]) } }, 'the values of "/v" differ between "a" and "b"'],
    [
      'another data type',
      { a: { v: x([1]) }, b: { v: { ...x([1]), dtype: 'int8' } } },
      '"/v" has the data type float64 in "a" and int8 in "b"',
    ],
    [
      'an array in place of a group',
      { a: { v: x([1]) }, b: { 'v/w': x([1]) } },
      '"/v" is an array in one store and a group in another',
    ],
  ])('are refused with %s', async (_, members, message) => {
    // prettier-ignore
    const found = await valuesOf(await of(members), '/v');
    expect(found).toContain(`INVALID_METADATA: the stores cannot be merged: ${message}`);
  });
});
