/** graphql-request and TanStack Query, configured as in docs/clients/tanstack-query.md. */
import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { afterAll, expect, test } from 'vitest';
import { sampleStores } from '../docs/samples.js';
import { importPage, serve } from './pages.js';

const gateway = sampleStores();
afterAll(() => gateway.close());

interface Options {
  readonly queryKey: readonly unknown[];
  readonly queryFn: QueryFunction;
}

test('a row of the sea surface temperature, fetched once', async () => {
  const { monthQuery } = await importPage('tanstack-query.md');
  if (typeof monthQuery !== 'function') throw new TypeError('the page exports no query');
  const requests = serve(gateway);
  const client = new QueryClient();
  const options: Options = monthQuery(0);
  const data = await client.ensureQueryData(options);
  expect(data).toMatchObject({
    store: { array: { slice: { values: { length: 180, 0: expect.any(Number) } } } },
  });
  expect(await client.ensureQueryData(options)).toBe(data);
  expect(requests.count).toBe(1);
});
