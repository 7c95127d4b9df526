/** Dates written as numbers are read back unchanged. */
import { afterAll, expect, test } from 'vitest';
import { encodeDates, toDates } from '../../../client/index.js';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { startInProcess } from '../in-process.js';

const store = { name: 'm', store: createMemoryStore({ label: 'm' }), writable: true };
const { client, close } = startInProcess({ stores: [store] });
afterAll(close);

const dates = ['1582-10-15T00:00:00Z', '1999-12-31T23:59:59.250Z', '2024-02-29T12:00:00Z', null].map(
  (text) => (text === null ? null : new Date(text)),
);

test.each([
  'days since 1970-01-01',
  'hours since 2001-01-01 06:00',
  'Minutes since 1900-1-1 0:0:0.0',
  'seconds since 2001-01-01T00:00:00Z',
  'msec since 1850-01-01 12:30:15.5 UTC',
])('dates in %s are read back unchanged', async (units) => {
  const time = await client.store('m').createArray(units.replace(/\W+/g, '-'), {
    shape: [dates.length],
    dtype: 'float64',
    dimensionNames: [`time ${units}`],
    attributes: { units, calendar: 'standard' },
  });
  await time.write(undefined, encodeDates(dates, units));
  const read = await client.store('m').dataset().variable(time.path.slice(1)).slice();
  if (!read.is('numpy.datetime64')) throw new Error(`expected dates, got ${read.dtype}`);
  expect(toDates(read)).toEqual(dates);
});

test.each([
  ['months since 2001-01-01', dates],
  ['hours', dates],
  ['hours since 2001-13-01', dates],
  ['hours since 2001-02-30', dates],
  ['hours since 2001-01-01 +02:00', dates],
  ['days since 0001-01-01', dates],
  [' '.repeat(1e5), dates],
  ['hours since 2001-01-01', [new Date(NaN)]],
  ['hours since 2001-01-01', [new Date('1500-01-01')]],
])('%.40s is rejected', (units, invalid) => {
  expect(() => encodeDates(invalid, units)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
});
