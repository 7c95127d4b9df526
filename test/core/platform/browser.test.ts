/** The browser and Node platforms behave alike. Both run on Node here. */
import { describe, expect, test } from 'vitest';
import * as browser from '../../../server/core/platform/browser.js';
import * as node from '../../../server/core/platform/node.js';

test('both platforms export the same names', () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
});

describe.each([
  ['browser', browser],
  ['node', node],
])('%s', (_, platform) => {
  test('functions for later turns run after the current turn, in order', async () => {
    const order: string[] = [];
    platform.runInNextTurn(() => order.push('first'));
    const second = new Promise<void>((resolve) => {
      platform.runInNextTurn(() => {
        order.push('second');
        resolve();
      });
    });
    await Promise.resolve();
    expect(order).toEqual([]);
    await second;
    expect(order).toEqual(['first', 'second']);
  });

  test('a restarted timer fires, and a stopped timer does not', async () => {
    const fired: string[] = [];
    const stopped = platform.startTimer(() => fired.push('stopped'), 1);
    stopped.stop();
    await new Promise<void>((resolve) => {
      const restarted = platform.startTimer(() => {
        fired.push('restarted');
        resolve();
      }, 5);
      restarted.restart();
    });
    expect(fired).toEqual(['restarted']);
  });

  test('bytes are converted to Latin-1 text and back, and compared', () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, i) => i % 256);
    const text = platform.latin1FromBytes(bytes, 3, 19_999);
    expect(text).toHaveLength(19_996);
    expect(platform.bytesFromLatin1(text)).toEqual(
      platform === node ? Buffer.from(bytes.subarray(3, 19_999)) : bytes.subarray(3, 19_999),
    );
    expect(platform.sameBytes(bytes, bytes.slice())).toBe(true);
    expect(platform.sameBytes(bytes, bytes.subarray(1))).toBe(false);
    expect(platform.sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
  });

  test('buffers are allocated, and shared ones recognised', () => {
    expect(platform.allocateUninitialised(100)).toHaveLength(100);
    expect(platform.isSharedBuffer(new SharedArrayBuffer(1))).toBe(true);
    expect(platform.isSharedBuffer(new ArrayBuffer(1))).toBe(false);
  });
});
