/**
 * Requests of HTTP stores: checks of addresses, connection errors, Retry-After and redirects. Addresses are checked
 * on connection, so that a name cannot resolve differently afterwards.
 */
import fc from 'fast-check';
import type { lookup, LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, describe } from 'vitest';
import { resolveRedirect } from '../../server/store/http/address.js';
import { createFetchExchange } from '../../server/store/http/fetch-exchange.js';
import { brokenConnection } from '../../server/store/http/network-wait.js';
import { createCheckedLookup, createGuardedFetch } from '../../server/store/http/guarded-fetch-node.js';
import { retryAfterMs } from '../../server/store/http/headers.js';
import { isPublicAddress } from '../../server/store/http/public-address.js';

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

test('the configured address of a store can be private', async () => {
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
])('a name that resolves to %s is public: %s', async (address, isPublic) => {
  const outcome = await resolveWith((isPublic) => isPublic, [[{ address, family: 4 }]]);
  expect(outcome).toEqual([isPublic ? address : 'STORE_DENIED']);
});

test('one private address among public ones is rejected', async () => {
  const both = ['93.184.216.34', '192.168.0.1'].map((each) => ({ address: each, family: 4 }));
  expect(await resolveWith((isPublic) => isPublic, [both])).toEqual(['STORE_DENIED']);
});

test('every connection resolves and checks the name, and a changed address is rejected', async () => {
  const addresses = ['93.184.216.34', '127.0.0.1', '93.184.216.34'].map((each) => [{ address: each, family: 4 }]);
  expect(await resolveWith((isPublic) => isPublic, addresses)).toEqual(['93.184.216.34', 'STORE_DENIED', '93.184.216.34']);
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
async function resolveWith(accept: (isPublic: boolean) => boolean, addresses: LookupAddress[][]) {
  const left = [...addresses];
  const resolve = ((_name: string, _options: object, done: (error: null, all: LookupAddress[]) => void) =>
    done(null, left.shift() ?? [])) as unknown as typeof lookup;
  const checked = createCheckedLookup(accept, resolve);
  return Promise.all(
    addresses.map(
      () =>
        new Promise((done) => {
          checked('example.org', { all: true }, (error, all) => {
            const code = error !== null && 'code' in error ? error.code : undefined;
            done(code ?? (typeof all === 'string' ? all : all[0]?.address));
          });
        }),
    ),
  );
}

test.each([
  ['ENOTFOUND', 'the connection failed (ENOTFOUND: unknown host; check the address and the network)'],
  ['ECONNREFUSED', 'the connection failed (ECONNREFUSED)'],
])('the message of a connection error: %s', (code, message) => {
  const cause = Object.assign(new Error('getaddrinfo'), { code });
  expect(() => brokenConnection(new TypeError('fetch failed', { cause }))).toThrow(message);
});

const of = (headers: Record<string, string>): number | undefined =>
  retryAfterMs({ headers: new Headers(headers) });

test.each([
  ['3', 3000],
  ['0', 0],
  [' 120 ', 120_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 7000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 7000],
  ['Sun Nov  6 08:49:37 1994', 7000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['0x10', undefined],
  ['soon', undefined],
  ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
  ['2026-11-21T00:00:00Z', undefined],
])('Retry-After: %j', (header, ms) => {
  expect(of({ 'retry-after': header, date: 'Sun, 06 Nov 1994 08:49:30 GMT' })).toBe(ms);
});

test('Retry-After is compared with the local clock if the server sends no Date', () => {
  const until = new Date(Date.now() + 60_000).toUTCString();
  expect(of({ 'retry-after': until })).toBeGreaterThan(50_000);
  expect(of({ 'retry-after': until })).toBeLessThanOrEqual(60_000);
  expect(of({ 'retry-after': until, date: 'broken' })).toBeGreaterThan(50_000);
  expect(of({})).toBeUndefined();
});

const hosts = [
  ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost.', 'ip6-localhost', 'ip6-loopback', 'redis:6379', 'redis.'],
  ...['metadata.google.internal', 'metadata.google.internal.', 'host.docker.internal.', 'printer.local.'],
  ...['127.1', '0x7f.1', '0177.0.0.1', '127.0.0.1.', '0', '0.0.0.0', '100.64.0.1', '100.100.100.200', '192.0.0.192'],
  ...['168.63.129.16', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '%31%30.0.0.1', '①⓪.0.0.1'],
  ...['[::]', '[::1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]'],
  ...['[64:ff9b:1::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[2002:7f00:1::]', '[2001::1]', '[fc00::1]', '[fec0::1]'],
  ...['[ff02::1]', '[100::1]', '[2001:db8::1]', '[4000::1]'],
]; // prettier-ignore

describe('a redirect', () => {
  test.each([
    ['https://a.org/x', '/y?z', 'https://a.org/y?z'],
    ['https://a.org/x', 'https://b.org/x', 'https://b.org/x'],
    ['http://a.org/x', 'https://a.org/x', 'https://a.org/x'],
    ['http://127.0.0.1:1/x', 'http://127.0.0.1:1/y', 'http://127.0.0.1:1/y'],
    ['http://a.org:8080/x', 'http://a.org:8081/x', 'http://a.org:8081/x'],
    ['http://169.254.7.7/x', '/y', 'http://169.254.7.7/y'],
    ['http://files:8080/x', 'http://files.:8080/y', 'http://files.:8080/y'],
    ['http://10.0.0.1/x', 'https://b.org/x', 'https://b.org/x'],
    ['https://a.org/x', 'https://[2606:4700::1111]/x', 'https://[2606:4700::1111]/x'],
    ['https://a.org/x', 'https://[64:ff9b::808:808]/x', 'https://[64:ff9b::808:808]/x'],
  ])('from %s to %s is followed', (from, location, to) => {
    expect(resolveRedirect(new URL(from), location).href).toBe(to);
  });
  test.each([
    ['https://a.org/x', 'http://a.org/x'],
    ['http://a.org/x', 'file:///etc/passwd'],
    ['https://a.org/x', 'https://localhost/x'],
    ['https://a.org/x', 'https://10.1.2.3/x'],
    ['https://a.org/x', 'https://2130706433/x'],
    ['https://a.org/x', 'https://[::1]/x'],
    ['https://a.org/x', 'https://[::ffff:10.0.0.1]/x'],
    ['http://a.org/x', 'http://169.254.169.254/latest'],
    ['http://192.168.0.1/x', 'http://169.254.169.254/latest'],
    ['http://127.0.0.1/x', 'http://[fe80::1]/x'],
    ['http://127.0.0.1/x', 'http://127.0.0.2/x'],
    ['http://files/x', 'http://redis:6379/x'],
    ['http://files:8080/x', 'http://files:6379/x'],
    ['http://127.0.0.1:1/x', 'http://127.0.0.1:2/x'],
    ['http://localhost/x', 'https://localhost:8443/x'],
    ...hosts.map((host): [string, string] => ['http://a.org/x', `http://${host}/x`]),
  ])('from %s to %s is denied', (from, location) => {
    expect(() => resolveRedirect(new URL(from), location)).toThrow(
      expect.objectContaining({ code: 'STORE_DENIED' }),
    );
  });
  test.each([null, 'http://'])('to %j is an invalid response', (location) => {
    expect(() => resolveRedirect(new URL('http://a.org/x'), location)).toThrow(
      expect.objectContaining({ code: 'STORE_UNAVAILABLE' }),
    );
  });
});

test('a redirect to another server does not send the headers of the store', async () => {
  const sent: [url: string, key: string | undefined, trust: string][] = [];
  const exchange = createFetchExchange({
    fetch: async (address, { headers }, trust) => {
      sent.push([address.href, headers['x-api-key'], trust]);
      if (sent.length > 1) return new Response('elsewhere');
      return new Response(null, { status: 302, headers: { location: 'https://a.org:8443/x' } });
    },
    headers: { 'x-api-key': 'secret' },
    timeouts: { firstByteMs: 1000, stallMs: 1000 },
    maxRedirects: 5,
  });
  await exchange.send('GET', new URL('https://a.org/x'), {}, undefined);
  expect(sent).toEqual([
    ['https://a.org/x', 'secret', 'own'],
    ['https://a.org:8443/x', undefined, 'public'],
  ]);
});
