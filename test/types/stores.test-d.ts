/** Type tests of generated store types, checked by tsc. */
import { expectTypeOf } from 'vitest';
import { createClient, toDates } from '../../client/index.js';
import type { AnyNDArray, AnyStores, ArrayHandle, NDArray, SliceOutcome } from '../../client/index.js';
import type { Stores } from './generated/stores.js';

export async function check(): Promise<void> {
  const client = createClient<Stores>({ url: '/graphql' });
  const coads = client.store('coads');

  // A path has the type of its array, with or without a leading slash.
  const sst = coads.array('SST');
  const tropics = await sst.slice({ TIME: 0, COADSY: { between: [-10, 10] } }, { coordinates: true });
  expectTypeOf(tropics).toExtend<NDArray<'float32'>>();
  expectTypeOf(tropics.data).toEqualTypeOf<Float32Array>();

  // Coordinates have the data types of the dataset's variables.
  expectTypeOf(tropics.coordinates?.COADSY?.values.data).toEqualTypeOf<Float64Array | undefined>();
  const { coordinates } = await coads.dataset().variable('SST').slice();
  const times = coordinates?.TIME;
  if (times !== undefined) expectTypeOf(toDates(times.values)).toEqualTypeOf<(Date | null)[]>();
  // @ts-expect-error the dataset has no such variable
  expectTypeOf(coordinates?.depth);

  // Labels have the types of the coordinates' values.
  await sst.slice({ TIME: { at: '0000-01' }, COADSX: { values: [21, 23n] } });
  await sst.slice({ TIME: { between: [new Date(0), null] } });
  coads.dataset().select({ TIME: { at: '0000-01' }, COADSY: { at: 0.5, method: 'nearest' } });
  expectTypeOf((await coads.array('/COADSX').slice()).data).toEqualTypeOf<Float64Array>();
  expectTypeOf((await client.store('etopo20').array('relief').slice('0')).data).toEqualTypeOf<Int16Array>();
  expectTypeOf(coads.group().array('SST')).toEqualTypeOf(sst);

  // These arrays are assignable to the general types.
  expectTypeOf(sst).toExtend<ArrayHandle>();
  expectTypeOf(sst).toExtend<ArrayHandle<'float32'>>();
  expectTypeOf(await sst.slice()).toExtend<NDArray>();

  // Attributes and dimensions are known.
  const info = await sst.info();
  expectTypeOf(info.attributes.units).toEqualTypeOf<string>();
  expectTypeOf(info.attributes.missing_value).toEqualTypeOf<number>();
  expectTypeOf(info.dimensions[0]?.name).toEqualTypeOf<'TIME' | 'COADSY' | 'COADSX' | null | undefined>();

  // A dataset's variables have the types of their decoded values.
  const dataset = coads.dataset().select({ TIME: 0 });
  expectTypeOf((await dataset.variable('TIME').slice()).data).toEqualTypeOf<BigInt64Array>();
  const relief = client.store('etopo20').dataset().variable('relief');
  expectTypeOf((await relief.slice()).data).toEqualTypeOf<Float32Array>();
  expectTypeOf(await relief.slice('0', { decode: false })).toEqualTypeOf<AnyNDArray>();
  expectTypeOf((await relief.info()).attributes.units).toEqualTypeOf<string>();

  // Blocks and writing.
  for await (const { values } of sst.blocks()) expectTypeOf(values.data).toEqualTypeOf<Float32Array>();
  await sst.write({ TIME: 0 }, 1);
  await sst.write({ TIME: 0 }, Float32Array.of(1));
  await sst.write({ TIME: 0 }, [[1, 2], [3, Number.NaN]]); // prettier-ignore

  // Several slices: each outcome has the type of its array.
  const outcomes = await client.slices([
    { store: 'coads', path: 'SST', select: '0' },
    { store: 'etopo20', path: '/relief' },
  ]);
  expectTypeOf(outcomes).toEqualTypeOf<readonly [SliceOutcome<'float32'>, SliceOutcome<'int16'>]>();

  // A name that is known only at run time.
  const loose = client.withTypes<AnyStores>();
  const name = String(Date.now());
  expectTypeOf(loose.store(name).array(name)).toEqualTypeOf<ArrayHandle>();
  // @ts-expect-error no such store
  client.store(name);
}
