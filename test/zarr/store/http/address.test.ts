import { describe, expect, test } from 'vitest';
import { resolveRedirect } from '../../../../server/zarr/store/http/address.js';

describe('a redirect', () => {
  test.each([
    ['https://a.org/x', '/y?z', 'https://a.org/y?z'],
    ['https://a.org/x', 'https://b.org/x', 'https://b.org/x'],
    ['http://a.org/x', 'https://a.org/x', 'https://a.org/x'],
    ['http://127.0.0.1:1/x', 'http://127.0.0.1:2/x', 'http://127.0.0.1:2/x'],
    ['http://169.254.7.7/x', '/y', 'http://169.254.7.7/y'],
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
  ])('from %s to %s is not', (from, location) => {
    expect(() => resolveRedirect(new URL(from), location)).toThrow(
      expect.objectContaining({ code: 'STORE_DENIED' }),
    );
  });
  test.each([null, 'http://'])('to %j is no answer', (location) => {
    expect(() => resolveRedirect(new URL('http://a.org/x'), location)).toThrow(
      expect.objectContaining({ code: 'STORE_UNAVAILABLE' }),
    );
  });
});
