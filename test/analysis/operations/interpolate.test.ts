/** Interpolation: values, coordinates and reads of the result, and a comparison with xarray (`interpolate.json`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InterpolateAt } from '../../../server/analysis/operations/interpolate.js';
import { applySteps, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import { coordinatesOfSlice } from '../../../server/dataset/slice-coordinates.js';
import { decodedLabels } from '../../../server/dataset/slice-coordinate.js';
import { type LazySlice, type Selection, toTypedArray } from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';
import { type SmallDataset, smallDataset, type SmallVariable } from '../small-dataset.js';

function line(name: string, values: readonly number[], attributes = {}, dtype = 'float64'): SmallVariable {
  return { dims: [name], dtype, shape: [values.length], chunks: [3], values, attributes };
}

async function interpolate(
  dataset: SmallDataset,
  slice: LazySlice,
  at: readonly InterpolateAt[],
): Promise<LazySlice> {
  return (await applySteps(withoutSteps(slice), [{ interpolate: at }], dataset.scope)).slice;
}

async function values(slice: LazySlice): Promise<number[]> {
  return Array.from(toTypedArray(await slice.read()), Number);
}

/** The labels that operations created. */
async function labelsOf(slice: LazySlice): Promise<LazySlice[]> {
  const planned = coordinatesOfSlice(slice, undefined).map((coordinate) => coordinate.planned());
  return planned.flatMap((labels) => (labels === undefined ? [] : [decodedLabels(labels)]));
}

const times = { units: 'hours since 2000-01-01' };

/** v(t, y, x) = t * 100 + y * 10 + x * x; the second to last element is missing. */
function small(more: Readonly<Record<string, SmallVariable>> = {}): Promise<SmallDataset> {
  const cells = [0, 1, 2].map((t) => [0, 1, 2, 3].map((y) => [0, 1, 2, 3, 4].map((x) => (t === 2 && y === 3 && x === 3 ? NaN : t * 100 + y * 10 + x * x))));
  return smallDataset({
    t: line('t', [0, 24, 48], times, 'int32'),
    y: line('y', [30, 20, 10, 0]),
    x: line('x', [0, 1, 2, 4, 8], {}, 'float32'),
    v: { dims: ['t', 'y', 'x'], dtype: 'float32', shape: [3, 4, 5], chunks: [1, 2, 2], values: cells },
    n: { dims: ['y', 'x'], dtype: 'int16', shape: [4, 5], chunks: [2, 2], values: cells[0] },
    ...more,
  });
} // prettier-ignore

describe('interpolation', () => {
  test('interpolates along one dimension, ascending and descending, in any order', async () => {
    const dataset = await small();
    const n = await interpolate(dataset, dataset.slice('n'), [{ dim: 'x', values: [3, 0, 8, 9, -0.1, 6] }]);
    expect([n.shape, n.dtype.name]).toEqual([[4, 6], 'float64']);
    expect((await values(n)).slice(0, 6)).toEqual([6.5, 0, 16, NaN, NaN, 12.5]);
    const y = await interpolate(dataset, dataset.slice('n'), [{ dim: 'y', values: [25, 0, 12.5] }]);
    expect((await values(y)).filter((_, i) => i % 5 === 0)).toEqual([5, 30, 17.5]);
  });

  test('interpolates along dates, with labels that are dates', async () => {
    const dataset = await small();
    const at = [{ dim: 't', values: ['2000-01-01T12', '2000-01-02', '1999'] }];
    const slice = await interpolate(dataset, dataset.slice('v'), at);
    expect((await values(slice)).filter((_, i) => i % 20 === 0)).toEqual([50, 100, NaN]);
    const [made] = coordinatesOfSlice(slice, undefined);
    expect([made?.name, made?.units]).toEqual(['t', times.units]);
    const again = await interpolate(dataset, slice.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 2 }] }), [{ dim: 't', values: ['2000-01-01T18'] }]);
    expect((await values(again))[0]).toBe(75);
  }); // prettier-ignore

  test('interpolates along dates, with labels finer than the unit of the coordinate', async () => {
    const days = { units: 'days since 2000-01-01' };
    const dataset = await small({
      d: line('d', [-1, 0, 1], days),
      w: { dims: ['d'], dtype: 'float64', shape: [3], chunks: [2], values: [0, 1, 2] },
    });
    const dates = ['2000-01-01T00:00:00.5', '1999-12-31T23:59:59.5'];
    const slice = await interpolate(dataset, dataset.slice('w'), [{ dim: 'd', values: dates }]);
    const [labels] = await labelsOf(slice);
    const block = await labels?.read();
    expect(block?.dtype).toMatchObject({ name: 'numpy.datetime64', unit: 'ns' });
    const year2000 = 946_684_800_000_000_000n;
    expect(block === undefined ? [] : [...toTypedArray(block)]).toEqual([year2000 + 500_000_000n, year2000 - 500_000_000n]);
  }); // prettier-ignore

  test('is missing next to missing values, except at a label', async () => {
    const dataset = await small();
    const last = dataset.slice('v', { kind: 'dims', dims: [{ kind: 'index', index: 2 }, { kind: 'index', index: 3 }] });
    const slice = await interpolate(dataset, last, [{ dim: 'x', values: [2, 2.5, 4, 5, 8] }]);
    expect(await values(slice)).toEqual([234, NaN, NaN, NaN, 246]);
  }); // prettier-ignore

  test('reads only the chunks of neighbours, along a track and at points of a box', async () => {
    const long = Array.from({ length: 60 }, (_, i) => i);
    const dataset = await smallDataset({
      a: line('a', long),
      b: line('b', long),
      w: { dims: ['a', 'b'], dtype: 'float64', shape: [60, 60], chunks: [4, 4], values: long.map((a) => long.map((b) => a * 100 + b)) },
    }); // prettier-ignore
    const track: InterpolateAt[] = [
      { dim: 'a', values: [1.5, 21.25, 41.5, 59], along: 'p' },
      { dim: 'b', values: [50.5, 30, 10.5, 59], along: 'p' },
    ];
    const slice = await interpolate(dataset, dataset.slice('w'), track);
    expect(slice.dims.map(({ name, size }) => [name, size])).toEqual([['p', 4]]);
    const seen = new Set<string>();
    const block = await slice.read({ onVersion: ({ path, key }) => path === '/w' && seen.add(key) });
    expect(Array.from(toTypedArray(block), Number)).toEqual([200.5, 2155, 4160.5, 5959]);
    expect(seen.size).toBe(4);
    expect(slice.inputs.map(({ array }) => array.path)).toEqual(['/w', '/a', '/b']);
    const made = coordinatesOfSlice(slice, undefined);
    expect(made.map(({ name, dimensions }) => [name, ...dimensions])).toEqual([['a', 'p'], ['b', 'p']]);
    const part = await labelsOf(slice.select({ kind: 'dims', dims: [{ kind: 'slice', start: 1, stop: 3 }] }));
    expect(await Promise.all(part.map((one) => values(one)))).toEqual(track.map(({ values: list = [] }) => list.slice(1, 3)));
    const box = await interpolate(dataset, dataset.slice('w'), track.map(({ dim, values: list }) => ({ dim, values: list })));
    expect(box.shape).toEqual([4, 4]);
    expect((await values(box)).filter((_, i) => i % 5 === 0)).toEqual([200.5, 2155, 4160.5, 5959]);
    const points = box.select({ kind: 'points', points: [[2, 2], [0, 0]] });
    seen.clear();
    await points.read({ onVersion: ({ path, key }) => path === '/w' && seen.add(key) });
    expect(seen.size).toBe(2);
    expect(await values(points)).toEqual([4160.5, 200.5]);
  }); // prettier-ignore

  test('is a conflict if a coordinate changes', async () => {
    const dataset = await small();
    const slice = await interpolate(dataset, dataset.slice('n'), [{ dim: 'y', values: [25] }]);
    await slice.inputs[1]?.write([31, 20, 10, 0]);
    await expect(slice.read()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test.each<[string, InterpolateAt[], string]>([
    ['nothing', [], 'BAD_INPUT'],
    ['a dimension twice', [{ dim: 'x', values: [1] }, { dim: '1', values: [2] }], 'BAD_INPUT'],
    ['unknown dimensions', [{ dim: 'z', values: [1] }], 'BAD_SELECTION'],
    ['text', [{ dim: 'x', values: ['a'] }], 'BAD_SELECTION'],
    ['a value that is not a number', [{ dim: 'x', values: [NaN] }], 'BAD_SELECTION'],
    ['lists of two lengths', [{ dim: 'x', values: [1], along: 'p' }, { dim: 'y', values: [1, 2], along: 'p' }], 'BAD_INPUT'],
    ['a name that is taken', [{ dim: 'x', values: [1], along: 'y' }], 'BAD_INPUT'],
    ['too many values', [{ dim: 'x', values: Array.from({ length: 70_000 }, () => 1) }], 'BAD_INPUT'],
  ])('rejects %s', async (_, at, code) => {
    const dataset = await small();
    await expect(interpolate(dataset, dataset.slice('n'), at)).rejects.toMatchObject({ code });
  }); // prettier-ignore

  test('rejects unsorted and repeated labels, and values that are not numbers', async () => {
    const dataset = await small({
      p: line('p', [0, 2, 1]),
      q: line('q', [0, 1, 1]),
      pq: { dims: ['p', 'q'], dtype: 'float32', shape: [3, 3], chunks: [3, 3], values: undefined },
      names: { dims: ['y'], dtype: 'string', shape: [4], chunks: [4], values: ['a', 'b', 'c', 'd'] },
    });
    const at = (dim: string): InterpolateAt[] => [{ dim, values: [0.5] }];
    await expect(interpolate(dataset, dataset.slice('pq'), at('p'))).rejects.toMatchObject({ code: 'BAD_SELECTION', message: expect.stringContaining('not sorted') });
    await expect(interpolate(dataset, dataset.slice('pq'), at('q'))).rejects.toMatchObject({ code: 'BAD_SELECTION', message: expect.stringContaining('repeats the label 1') });
    await expect(interpolate(dataset, dataset.slice('names'), at('y'))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  }); // prettier-ignore

  test('selecting from a result returns the same values', () => {
    const part = (size: number): fc.Arbitrary<{ kind: 'slice'; start: number; step: number } | { kind: 'index'; index: number }> =>
      fc.oneof(
        fc.record({ kind: fc.constant('slice' as const), start: fc.nat(size - 1), step: fc.constantFrom(1, 2, -1) }),
        fc.record({ kind: fc.constant('index' as const), index: fc.nat(size - 1) }),
      );
    const points = fc.array(fc.double({ min: -1, max: 9, noNaN: true }), { minLength: 3, maxLength: 3 });
    return fc.assert(
      fc.asyncProperty(points, points, fc.boolean(), part(3), part(3), async (xs, ys, isTrack, first, second) => {
        const dataset = await small();
        const along = isTrack ? { along: 'p' } : {};
        const at: InterpolateAt[] = [{ dim: 'x', values: xs, ...along }, { dim: 'y', values: ys.map((y) => y * 3), ...along }];
        const slice = await interpolate(dataset, dataset.slice('v'), at);
        expect(slice.shape).toEqual(isTrack ? [3, 3] : [3, 3, 3]);
        const whole = await values(slice);
        const selection: Selection = { kind: 'dims', dims: [first, second] };
        const positions = [first, second].map((by) => (by.kind === 'index' ? [by.index] : [0, 1, 2, -1, -2].flatMap((k) => {
          const i = by.start + k * by.step;
          return (by.step < 0 ? -k * by.step : k * by.step) >= 0 && k >= 0 && i >= 0 && i < 3 ? [i] : [];
        })));
        const last = isTrack ? [0] : [0, 1, 2];
        const expected = (positions[0] ?? []).flatMap((a) => (positions[1] ?? []).flatMap((b) => last.map((c) => whole[isTrack ? a * 3 + b : (a * 3 + b) * 3 + c])));
        expect(await values(slice.select(selection))).toEqual(expected);
      }),
      // In the example, the order of the two axes decides the last bit.
      { numRuns: 60, examples: [[[0, 2.2204460492503136e-16, 0], [0, 8.666666666666668, 0], false, { kind: 'slice', start: 0, step: 1 }, { kind: 'slice', start: 0, step: 1 }]] },
    );
  }); // prettier-ignore
});

interface Fixture {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly values: readonly (readonly (number | null)[])[];
  readonly cases: readonly {
    readonly at: readonly InterpolateAt[];
    readonly shape: readonly number[];
    readonly expected: readonly (number | null)[];
  }[];
}

const {
  x,
  y,
  values: cells,
  cases,
}: Fixture = JSON.parse(readFileSync(join(fixtures, 'analysis', 'interpolate.json'), 'utf8'));

test.each(cases.map((one, i) => ({ ...one, i })))('interpolation $i is that of xarray', async (one) => {
  const dataset = await smallDataset({
    x: line('x', x),
    y: line('y', y),
    v: {
      dims: ['y', 'x'],
      dtype: 'float64',
      shape: [y.length, x.length],
      chunks: [3, 4],
      values: cells.map((row) => row.map((value) => value ?? NaN)),
    },
  });
  const slice = await interpolate(dataset, dataset.slice('v'), one.at);
  expect(slice.shape).toEqual(one.shape);
  const found = await values(slice);
  one.expected.forEach((value, i) => {
    if (value === null) expect(found[i]).toBeNaN();
    else expect(found[i]).toBeCloseTo(value, 10);
  });
});
