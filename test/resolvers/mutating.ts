/** Sends one mutation at a time to a gateway over a store in memory, "m". */
import { expect } from 'vitest';
import { createGateway, type Gateway, type GatewayConfig } from '../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { execute } from './gateway-client.js';

export function gatewayOf(
  store: KeyStore = createMemoryStore({ label: 'm' }),
  config: Partial<GatewayConfig> = {},
) {
  return createGateway({ stores: [{ name: 'm', store, writable: true }], ...config });
}

export interface Failure {
  readonly code: unknown;
  readonly message: string;
}

/** The error, or the data of the only field `f` of a mutation: if its payload is one node, that node. */
export async function run(gateway: Gateway, field: string, variables?: unknown, types = '') {
  const { data, errors } = await execute(gateway, `mutation ${types} { f: ${field} }`, variables);
  const failures: Failure[] = errors.map(({ message, extensions }) => ({
    code: extensions['code'],
    message,
  }));
  const { array, group, node, ...others } = data?.f ?? {};
  const isNode = Object.keys(others).length === 0 && Boolean(array ?? group ?? node);
  return { made: isNode ? (array ?? group ?? node) : data?.f, failures, errors };
}

export async function codeOf(gateway: Gateway, field: string): Promise<unknown> {
  const { made, failures } = await run(gateway, field);
  expect(made).toBeNull();
  return failures[0]?.code;
}

export async function valuesOf(gateway: Gateway, path: string): Promise<unknown> {
  const query = `{ store(name: "m") { array(path: ${JSON.stringify(path)}) { slice { values } } } }`;
  return (await execute(gateway, query)).data.store.array.slice.values;
}

export const array = (path: string, more = 'shape: [4], dtype: "int32"'): string =>
  `createArray(input: { store: "m", path: "${path}", ${more} }) { array { path shape } }`;
