/** Labels of groups that are coarsened, and of slices that are coarsened repeatedly. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createGateway } from '../../../server/index.js';
import type { KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, readSlice, put } from '../gateway-client.js';
import { monthlyStore } from './grid-store.js';

let store: KeyStore;
beforeEach(async () => {
  store = await monthlyStore();
});

function slice(fields: string) {
  return readSlice(createGateway({ stores: [{ name: 'm', store }] }), 't', fields);
}

describe('coarsened labels', () => {
  test('of groups are the means of the labels', async () => {
    const to = 'coarsen(to: [{ dim: "0", size: 2 }])';
    const { slice: found, errors } = await slice(`
      months: group(by: { resample: { dim: "time", unit: MONTH } }, reduce: SUM) {
        ${to} {
          values coordinates { name calendar values bounds }
          last: slice(select: { text: "::-1" }) { values coordinates { values } }
          one: slice(select: { text: "1" }) { coordinates { name values } }
          april: slice(select: { named: [{ dim: "time", by: { at: { value: "2000-04-01T00:00:00" } } }] }) { values }
          group(by: { part: { dim: "time", part: MONTH } }, reduce: MAX) { values coordinates { name values } }
        }
        some: slice(select: { text: "::-1" }) { ${to} { coordinates { values } } }
        nearest: coarsen(to: [{ dim: "time", size: 2 }], method: NEAREST) { coordinates { values } }
      }
      numbers: group(by: { part: { dim: "time", part: MONTH } }, reduce: SUM) {
        ${to} { coordinates { name dtype { name } values } coarsen(to: [{ dim: "month", size: 1 }]) { coordinates { values } } }
        nearest: coarsen(to: [{ dim: "month", size: 2 }], method: NEAREST) { coordinates { values } }
      }
      seasons: group(by: { part: { dim: "time", part: SEASON } }, reduce: SUM) {
        coarsen(to: [{ dim: "season", size: 1 }]) { shape coordinates { name } }
      }`);
    expect(errors).toEqual([]);
    const [february, april] = ['2000-02-15T00:00:00', '2000-04-01T00:00:00'];
    expect(found.months).toEqual({
      coarsen: {
        values: [[16, 16.5], [10, 10]],
        coordinates: [{ name: 'time', calendar: 'noleap', values: [february, april], bounds: null }],
        last: { values: [[10, 10], [16, 16.5]], coordinates: [{ values: [april, february] }] },
        one: { coordinates: [{ name: 'time', values: april }] },
        april: { values: [10, 10] },
        group: { values: [[16, 16.5], [10, 10]], coordinates: [{ name: 'month', values: [2, 4] }] },
      },
      some: { coarsen: { coordinates: [{ values: ['2000-03-16T12:00:00', '2000-02-01T00:00:00'] }] } },
      nearest: { coordinates: [{ values: ['2000-02-01T00:00:00', april] }] },
    });
    expect(found.numbers).toEqual({
      coarsen: {
        coordinates: [{ name: 'month', dtype: { name: 'float64' }, values: [2.5, 4] }],
        coarsen: { coordinates: [{ values: [3.25] }] },
      },
      nearest: { coordinates: [{ values: [2, 4] }] },
    });
    expect(found.seasons).toEqual({ coarsen: { shape: [1, 2], coordinates: [] } });
  }); // prettier-ignore

  test('of a slice that is coarsened repeatedly are means of means', async () => {
    await put(store, 'time/zarr.json', arrayDocument('int32', [7], {
      dimension_names: ['time'], attributes: { units: 'days since 2000-02-28' },
    }));
    const to = (size: number) => `coarsen(to: [{ dim: "time", size: ${size} }])`;
    const { slice: found, errors } = await slice(`${to(4)} {
      ${to(2)} {
        coordinates { name values }
        last: slice(select: { text: "::-1" }) { coordinates { values } }
        ${to(1)} { coordinates { values } }
        group(by: { resample: { dim: "time", unit: MONTH } }, reduce: COUNT) { values coordinates { values } }
      }
      slice(select: { text: "1:" }) { ${to(2)} { coordinates { values } } }
    }`);
    expect(errors).toEqual([]);
    const [february, march] = ['2000-02-29T12:00:00', '2000-03-18T06:00:00'];
    expect(found.coarsen).toEqual({
      coarsen: {
        coordinates: [{ name: 'time', values: [february, march] }],
        last: { coordinates: [{ values: [march, february] }] },
        coarsen: { coordinates: [{ values: ['2000-03-09T09:00:00'] }] },
        group: {
          values: [['1', '1'], ['1', '1']],
          coordinates: [{ values: ['2000-02-01T00:00:00', '2000-03-01T00:00:00'] }],
        },
      },
      slice: { coarsen: { coordinates: [{ values: ['2000-03-02T12:00:00', '2000-04-02T00:00:00'] }] } },
    });
  }); // prettier-ignore
});
