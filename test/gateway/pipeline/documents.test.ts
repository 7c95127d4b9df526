/** The document cache: only valid documents, limited in bytes. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { memoryGateway } from '../../resolvers/gateway-client.js';
import { fullAccess } from '../../../server/index.js';

const execute = async (
  query: string,
  gateway: Awaited<ReturnType<typeof memoryGateway>>,
): Promise<unknown> => {
  const { errors } = await gateway.execute({ document: query }, fullAccess);
  return errors?.[0] instanceof GraphQLError ? errors[0].extensions['code'] : undefined;
};

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Bytes in use after garbage collection. */
function heapBytes(): number {
  if (typeof collect !== 'function') throw new TypeError('garbage collection is unavailable');
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage().heapUsed;
}

test('memory returns to its level after rejected documents, and is bounded after others', async () => {
  const gateway = await memoryGateway({});
  const padding = 'x'.repeat(500_000);
  const rounds = async (document: (i: number) => string): Promise<number> => {
    const before = heapBytes();
    for (let i = 0; i < 150; i++) await execute(document(i), gateway);
    return heapBytes() - before;
  };
  await rounds((i) => `{ gateway { version } } # ${i}`);
  expect(await rounds((i) => `{ unknown${i} } # ${padding}`)).toBeLessThan(10e6);
  expect(await rounds((i) => `{ syntax${i} ( # ${padding}`)).toBeLessThan(10e6);
  expect(await rounds((i) => `{ a${i}: gateway { version } } # ${padding}`)).toBeLessThan(50e6);
});

test('rejected documents are rejected again, valid ones stay valid', async () => {
  const gateway = await memoryGateway({});
  for (let i = 0; i < 3; i++) {
    expect(await execute('{ gateway { version } }', gateway)).toBeUndefined();
    expect(await execute('{ gateway { nothing } }', gateway)).toBe('BAD_INPUT');
    expect(await execute('{ gateway {', gateway)).toBe('BAD_INPUT');
    expect(await execute(`{ ${'gateway { version } '.repeat(200)} }`, gateway)).toBe('LIMIT_EXCEEDED');
  }
});
