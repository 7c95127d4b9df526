import { describe, expect, test } from 'vitest';
import { resolveRedirect } from '../../../../server/zarr/store/http/address.js';

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
    ['http://127.0.0.1:1/x', 'http://127.0.0.1:2/x', 'http://127.0.0.1:2/x'],
    ['http://169.254.7.7/x', '/y', 'http://169.254.7.7/y'],
    ['http://files:8080/x', 'http://files.:8081/y', 'http://files.:8081/y'],
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
    ...hosts.map((host): [string, string] => ['http://a.org/x', `http://${host}/x`]),
  ])('from %s to %s is not', (from, location) => {
    expect(() => resolveRedirect(new URL(from), location)).toThrow(
      expect.objectContaining({ code: 'STORE_DENIED' }),
    );
  });
  test.each([null, 'http://'])('to %j is not a response', (location) => {
    expect(() => resolveRedirect(new URL('http://a.org/x'), location)).toThrow(
      expect.objectContaining({ code: 'STORE_UNAVAILABLE' }),
    );
  });
});
