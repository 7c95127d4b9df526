/** A store with names and arrays that are hard to represent in GraphQL. */
import { createMemoryStore, type KeyStore, openHierarchy } from '../../server/zarr/index.js';

export async function oddStore(): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'odd' });
  const hierarchy = openHierarchy(store);
  const numbers = async (
    path: string,
    shape: number[],
    dimensionNames: (string | null)[],
    attributes = {},
    dtype = 'float32',
  ) => {
    const array = await hierarchy.createArray(path, { shape, dtype, dimensionNames, attributes, chunkShape: shape.map((size) => Math.max(1, size)) }); // prettier-ignore
    const count = shape.reduce((a, b) => a * b, 1);
    const nested = (from: number, dims: readonly number[]): unknown => {
      const [first, ...rest] = dims;
      if (first === undefined) return from % 100;
      const step = rest.reduce((a, b) => a * b, 1);
      return Array.from({ length: first }, (_, i) => nested(from + i * step, rest));
    };
    if (count > 0 && !['bool', 'complex64'].includes(dtype))
      await array.select({ kind: 'all' }).write(nested(0, shape));
    return array;
  };
  const reserved: Uint8Array[] = [];
  await hierarchy.createGroup('/', { attributes: { title: 'Odd *names*' } });
  await numbers('time', [4], ['time'], { units: 'days since 2000-01-01', calendar: '360_day' }, 'int32');
  await numbers('lat', [3], ['lat'], { units: 'degrees_north' });
  await numbers('lon', [5], ['lon'], { units: 'degrees_east' });
  await numbers('2m temperature', [4, 3, 5], ['time', 'lat', 'lon'], {
    long_name: 'Temperature',
    units: 'K',
  });
  await numbers('t.2', [4], ['time']);
  await numbers('t_2', [4], ['time']);
  await numbers('Ünïcode', [3, 5], ['lat', 'lon']);
  await numbers('温度', [3], ['lat']);
  await numbers('true', [3], ['lat'], {}, 'bool');
  await numbers('month', [4], ['time'], {}, 'int64');
  await numbers('scalar', [], []);
  await numbers('empty', [0, 3], ['none', 'lat']);
  await numbers('square', [3, 3], ['lat', 'lat']);
  await numbers('plain', [2, 3, 4], [null, null, null]);
  await numbers('c', [3], ['lat'], {}, 'complex64');
  const names = await hierarchy.createArray('station', {
    shape: [3],
    dtype: 'string',
    dimensionNames: ['station'],
  });
  await names.select({ kind: 'all' }).write(['Bern', 'Chur', 'Genf']);
  await numbers('rain', [3, 4], ['station', 'time']);
  await numbers('big', [3], ['big'], {}, 'int64');
  await numbers('along big', [3], ['big']);
  await hierarchy.createGroup('levels');
  await numbers('levels/0', [4, 4], [null, null], {}, 'uint8');
  await hierarchy.createGroup('group with space');
  await numbers('group with space/deep', [4, 3], ['time', 'lat']);
  // Writers of other libraries use names that the specification reserves.
  await store.getMany([{ key: 't.2/zarr.json' }], (_, found) => {
    if (typeof found === 'object') reserved.push(found.bytes);
  });
  for (const bytes of reserved) await store.set('__x/zarr.json', bytes);
  return store;
}
