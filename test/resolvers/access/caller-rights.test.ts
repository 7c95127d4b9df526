/** A missing caller or right never means permission, even for programs without type checks. */
import { describe, expect, test } from 'vitest';
import { type CallerRights, fullAccess, noAccess } from '../../../server/index.js';
import { createVisibleStores, rightsOf } from '../../../server/resolvers/access/caller-rights.js';
import { memoryGateway } from '../gateway-client.js';

/** Invalid values from JavaScript programs. */
const untyped = (caller: unknown): CallerRights => caller as CallerRights;

const incomplete: readonly unknown[] = [
  undefined,
  null,
  {},
  { mayRead: () => true },
  { mayRead: () => true, mayEnter: () => true },
  { mayRead: true, mayEnter: true, mayWrite: true },
  { ...fullAccess, mayWrite: undefined },
];

test.each(incomplete)('%j is not a valid set of rights', async (caller) => {
  const gateway = await memoryGateway({ 'zarr.json': { zarr_format: 3, node_type: 'group' } });
  const document = '{ stores { nodes { name } } }';
  expect(() => rightsOf(untyped(caller))).toThrow(/fullAccess/);
  const { data, errors } = await gateway.execute({ document }, untyped(caller));
  expect(data).toBeUndefined();
  expect(errors?.[0]?.extensions['code']).toBe('BAD_INPUT');
  const request = new Request(`http://localhost/graphql?query=${encodeURIComponent(document)}`);
  await expect(gateway.fetch(request, untyped(caller))).rejects.toThrow(/fullAccess/);
  await expect(gateway.as(untyped(caller)).fetch(request)).rejects.toThrow(/fullAccess/);
  await gateway.close();
});

describe('only true allows anything', () => {
  test.each([() => 'yes', () => 1, () => ({}), async () => false])('%s does not', (permission) => {
    const { mayRead, mayEnter, mayWrite } = rightsOf(
      untyped({ mayRead: permission, mayEnter: permission, mayWrite: permission }),
    );
    for (const right of [mayRead, mayEnter, mayWrite]) expect(right('s', '/')).toBe(false);
  });
});

test('named rights', () => {
  expect(createVisibleStores(new Map(), noAccess)).toEqual([]);
  expect(Object.values(noAccess).map((right) => right('s', '/'))).toEqual([false, false, false]);
  expect(Object.values(fullAccess).map((right) => right('s', '/'))).toEqual([true, true, true]);
  expect(Object.isFrozen(fullAccess) && Object.isFrozen(noAccess)).toBe(true);
});
