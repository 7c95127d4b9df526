/** Type tests of analyses, checked by tsc. */
import { expectTypeOf } from 'vitest';
import { useLine, useSlice } from '../../client/adapters/react.js';
import { lazySlice } from '../../client/analysis/index.js';
import type { LinePoints } from '../../client/analysis/index.js';
import { createClient } from '../../client/index.js';
import type { AnyNDArray } from '../../client/index.js';
import type { Stores } from './generated/stores.js';

export async function check(): Promise<void> {
  const client = createClient<Stores>({ url: '/graphql' });
  const sst = lazySlice(client.store('coads').array('SST'), { TIME: [0, 2] });

  // The data type depends on the reduction.
  expectTypeOf((await sst.mean('TIME').read()).data).toEqualTypeOf<Float32Array>();
  expectTypeOf((await sst.count().read()).data).toEqualTypeOf<BigInt64Array>();
  expectTypeOf((await sst.reduce('ANY', { over: ['TIME'] }).read()).dtype).toEqualTypeOf<'bool'>();
  expectTypeOf((await sst.reduce('ARGMAX', { over: ['TIME'] }).read()).dtype).toEqualTypeOf<'int64'>();
  const relief = lazySlice(client.store('etopo20').array('relief'));
  expectTypeOf((await relief.mean().read()).data).toEqualTypeOf<Float64Array>();
  expectTypeOf((await relief.sum().read()).data).toEqualTypeOf<BigInt64Array>();
  expectTypeOf((await relief.max().read()).data).toEqualTypeOf<Int16Array>();
  const area = { variable: 'area' } as const;
  expectTypeOf(
    (await relief.reduce('SUM', { using: { weights: area } }).read()).data,
  ).toEqualTypeOf<Float64Array>();
  const polygon = { type: 'Polygon', coordinates: [] } as const;
  expectTypeOf((await relief.within(polygon).read()).dtype).toEqualTypeOf<'float32'>();
  const track = relief.interpolate({ lat: [1], lon: [2] }, { along: 'place' });
  expectTypeOf((await track.read()).data).toEqualTypeOf<Float64Array>();
  track.mean('place');
  // @ts-expect-error points have replaced this dimension
  track.mean('lat');
  relief.interpolate({ lat: [1] }).mean('lat');
  const levels = relief.levels({ dim: 'lat', coordinate: 'p', values: [850], method: 'LOG' });
  expectTypeOf((await levels.read()).data).toEqualTypeOf<Float64Array>();
  levels.mean('lat');
  // @ts-expect-error no such dimension
  levels.mean('depth');
  relief.levels({ dim: 'lat', onto: 'depth' }).mean('depth');
  // @ts-expect-error no such dimension
  relief.levels({ dim: 'depth', values: [1] });
  const coarse = relief.coarsen({ lat: 10 }, { method: 'MAX' });
  expectTypeOf((await coarse.read()).data).toEqualTypeOf<Int16Array>();
  expectTypeOf((await relief.coarsen({ lat: 10 }).read()).dtype).toEqualTypeOf<'int16' | 'float64'>();

  // Groups and windows.
  const monthly = sst.group({ part: { dim: 'TIME', part: 'MONTH' } }, 'COUNT');
  expectTypeOf((await monthly.read()).dtype).toEqualTypeOf<'int64'>();
  monthly.max('month', 'COADSX');
  // @ts-expect-error the months have replaced this dimension
  monthly.max('TIME');
  sst.group({ resample: { dim: 'TIME', unit: 'YEAR' } }, 'MEAN').max('TIME');
  sst.group({ bins: { dim: 'COADSY', edges: [-90, 0, 90] } }, 'MEAN').max('COADSY_bins');
  // @ts-expect-error no such dimension
  sst.group({ part: { dim: 'depth', part: 'MONTH' } }, 'MEAN');
  // @ts-expect-error only one form of grouping is allowed
  sst.anomaly({ part: { dim: 'TIME', part: 'MONTH' }, values: { dim: 'TIME' } });
  const anomaly = relief.anomaly({ values: { dim: 'lat' } });
  expectTypeOf((await anomaly.read()).data).toEqualTypeOf<Float64Array>();
  const counts = relief.rolling({ dim: 'lat', window: 3, by: 'COUNT' });
  expectTypeOf((await counts.read()).dtype).toEqualTypeOf<'int64'>();
  // @ts-expect-error no such dimension
  relief.rolling({ dim: 'depth', window: 3, by: 'MEAN' });

  // Dimensions are checked, and removed by reductions.
  sst.mean('TIME').max('COADSX');
  // @ts-expect-error the array has no such dimension
  sst.mean('depth');
  // @ts-expect-error the dimension has already been reduced
  sst.mean('TIME').max('TIME');
  // @ts-expect-error no dimension remains
  sst.mean().max('TIME');
  sst.quantile([0.1, 0.9], 'TIME').mean('quantile');
  // @ts-expect-error no such dimension
  sst.coarsen({ depth: 4 });
  // @ts-expect-error no such dimension
  await sst.mean('COADSX', 'COADSY').line({ width: 100, along: 'depth' });
  // The values of a line have the data type of the slice. Means of integers are float64.
  expectTypeOf((await sst.line({ width: 100 })).y.data).toEqualTypeOf<Float32Array>();
  const counted = sst.count('COADSX');
  expectTypeOf((await counted.line({ width: 100 })).y.dtype).toEqualTypeOf<'int64' | 'float64'>();
  expectTypeOf((await counted.line({ width: 100, method: 'MEAN' })).y.dtype).toEqualTypeOf<'float64'>();
  for (const label of (await sst.line({ width: 100 })).x.data) void label;

  // One position drops its dimension; a range keeps it.
  const map = lazySlice(client.store('coads').array('SST'), { TIME: 0, COADSY: [0, 2] });
  expectTypeOf(await map.mean('COADSY', 'COADSX').read()).not.toBeAny();
  // @ts-expect-error TIME has been dropped
  map.mean('TIME');
  const point = lazySlice(client.store('coads').dataset().variable('SST'), { COADSX: { at: 181 } });
  // @ts-expect-error COADSX has been dropped
  point.max('COADSX');
  const chosen: { readonly TIME?: number } = {};
  lazySlice(client.store('coads').array('SST'), chosen).mean('COADSY');

  // Dates have a mean and extremes, but neither sums nor deviations.
  const times = lazySlice(client.store('coads').dataset().variable('TIME'));
  expectTypeOf((await times.mean().read()).dtype).toEqualTypeOf<'numpy.datetime64'>();
  times.max('TIME');
  // @ts-expect-error dates have no standard deviation
  times.std();
  // @ts-expect-error dates have no sum
  times.sum('TIME');

  // Variables, and stores that are not described.
  const variable = lazySlice(client.store('coads').dataset().variable('SST'));
  expectTypeOf((await variable.min('TIME').read()).data).toEqualTypeOf<Float32Array>();
  const any = lazySlice(createClient({ url: '/graphql' }).store('s').array('a'));
  expectTypeOf(await any.max('x').read()).toEqualTypeOf<AnyNDArray>();
}

/** The type of the data of a hook is derived from its slice. */
export function CheckHooks(): void {
  const sst = lazySlice(createClient<Stores>({ url: '/graphql' }).store('coads').array('SST'));
  expectTypeOf(useSlice(sst.mean('TIME')).data?.data).toEqualTypeOf<Float32Array | undefined>();
  expectTypeOf(useLine(sst, { along: 'TIME' }).data).toEqualTypeOf<LinePoints<'float32'> | undefined>();
  expectTypeOf(useSlice(sst).error).toEqualTypeOf<Error | undefined>();
  // @ts-expect-error no such dimension
  useLine(sst, { along: 'depth' });
}
