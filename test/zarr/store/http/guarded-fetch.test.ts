/** Addresses are checked on connection, so that a name cannot resolve differently afterwards. */
import type { lookup, LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPublicAddress } from '../../../../server/zarr/store/http/public-address.js';
import {
  createCheckedLookup,
  createGuardedFetch,
} from '../../../../server/zarr/store/http/guarded-fetch-node.js';

let requests = 0;
const server = createServer((_, response) => {
  requests += 1;
  response.end('inside');
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const init = () =>
  ({ method: 'GET', headers: {}, redirect: 'manual', signal: new AbortController().signal }) as const;
const address = () => new URL(`http://localhost:${(server.address() as AddressInfo).port}/`);

test('a store can be configured with a private name', async () => {
  const response = await createGuardedFetch()(address(), init(), 'own');
  expect(await response.text()).toBe('inside');
});

test('no redirect connects to a name that resolves to a private address', async () => {
  const before = requests;
  const denied = { cause: { code: 'STORE_DENIED' } };
  await expect(createGuardedFetch()(address(), init(), 'public')).rejects.toMatchObject(denied);
  expect(requests).toBe(before);
});

test.each([
  ['127.0.0.1', false],
  ['10.0.0.1', false],
  ['::ffff:169.254.169.254', false],
  ['fe80::1%eth0', false],
  ['64:ff9b::a00:1', false],
  ['93.184.216.34', true],
  ['2606:4700::1111', true],
])('a name that resolves to %s is public: %s', async (found, isPublic) => {
  const outcome = await resolveWith((given) => given, [[{ address: found, family: 4 }]]);
  expect(outcome).toEqual([isPublic ? found : 'STORE_DENIED']);
});

test('one private address among public ones is rejected', async () => {
  const both = ['93.184.216.34', '192.168.0.1'].map((each) => ({ address: each, family: 4 }));
  expect(await resolveWith((given) => given, [both])).toEqual(['STORE_DENIED']);
});

test('every connection resolves and checks the name, and a changed address is rejected', async () => {
  const answers = ['93.184.216.34', '127.0.0.1', '93.184.216.34'].map((each) => [{ address: each, family: 4 }]);
  expect(await resolveWith((given) => given, answers)).toEqual(['93.184.216.34', 'STORE_DENIED', '93.184.216.34']);
}); // prettier-ignore

test('an IPv6 address that embeds an IPv4 address is classified by it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (inner) => {
      expect(isPublicAddress(`::ffff:${inner}`)).toBe(isPublicAddress(inner));
      expect(isPublicAddress(`64:ff9b::${inner}`)).toBe(isPublicAddress(inner));
      expect(isPublicAddress(`2002:${inner}`)).toBe(false);
    }),
  );
});

/** Connects once per list of addresses. Returns the first permitted address, or the code of the error. */
async function resolveWith(accept: (isPublic: boolean) => boolean, answers: LookupAddress[][]) {
  const left = [...answers];
  const resolve = ((_name: string, _options: object, done: (error: null, all: LookupAddress[]) => void) =>
    done(null, left.shift() ?? [])) as unknown as typeof lookup;
  const checked = createCheckedLookup(accept, resolve);
  return Promise.all(
    answers.map(
      () =>
        new Promise((done) => {
          checked('example.org', { all: true }, (error, all) => {
            const refused = error !== null && 'code' in error ? error.code : undefined;
            done(refused ?? (typeof all === 'string' ? all : all[0]?.address));
          });
        }),
    ),
  );
}
