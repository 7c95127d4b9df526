import { EventEmitter } from 'node:events';
import { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendPieces } from '../../server/http/send.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A response whose client reads on demand. */
class Taking extends ServerResponse {
  readonly written: number[] = [];

  constructor() {
    super(
      Object.assign(new EventEmitter(), { method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 }) as never,
    );
  }

  override write(piece: Uint8Array): boolean {
    this.written.push(piece.length);
    return false;
  }

  override destroy(): this {
    this.destroyed = true;
    this.emit('close');
    return this;
  }

  async taken(count: number): Promise<void> {
    while (this.written.length < count) await new Promise((resolve) => setImmediate(resolve));
  }
}

const MiB = 2 ** 20;

const isMemoryWanted = (): boolean => false;

test('a client that does not read is disconnected sooner if others wait for memory', async () => {
  const outgoing = new Taking();
  let tooSlow = false;
  const pace = {
    minBytesPerSecond: 32 * 1024,
    isMemoryWanted: () => true,
    onTooSlow: () => void (tooSlow = true),
  };
  const sending = sendPieces([new Uint8Array(MiB)], outgoing, pace);
  await outgoing.taken(1);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(outgoing.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await sending).toBe(MiB / 4);
  expect(tooSlow).toBe(true);
});

test('a client gets more time if no request waits for memory, because the system reports progress late', async () => {
  const outgoing = new Taking();
  const pace = { minBytesPerSecond: 32 * 1024, isMemoryWanted, onTooSlow() {} };
  const sending = sendPieces([new Uint8Array(MiB)], outgoing, pace);
  await outgoing.taken(1);
  await vi.advanceTimersByTimeAsync(75_000);
  expect(outgoing.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await sending).toBe(MiB);
});

test('a slow client above the minimum rate is not disconnected', async () => {
  const outgoing = new Taking();
  const sending = sendPieces([new Uint8Array(4 * MiB)], outgoing, {
    minBytesPerSecond: 16 * 1024,
    isMemoryWanted,
    onTooSlow() {},
  });
  for (let i = 1; i <= 4; i++) {
    await outgoing.taken(i);
    await vi.advanceTimersByTimeAsync(60_000);
    outgoing.emit('drain');
  }
  expect(await sending).toBe(4 * MiB);
  expect(outgoing.written).toEqual([MiB, MiB, MiB, MiB]);
});

test('pieces are smaller while others wait for memory', async () => {
  const outgoing = new Taking();
  let isWanted = false;
  const pace = { minBytesPerSecond: 0, isMemoryWanted: () => isWanted, onTooSlow() {} };
  const sending = sendPieces([new Uint8Array(1.5 * MiB)], outgoing, pace);
  await outgoing.taken(1);
  isWanted = true;
  for (let i = 2; i <= 3; i++) {
    outgoing.emit('drain');
    await outgoing.taken(i);
  }
  outgoing.emit('drain');
  expect(await sending).toBe(1.5 * MiB);
  expect(outgoing.written).toEqual([MiB, MiB / 4, MiB / 4]);
});

test('without a minimum rate a client is never disconnected', async () => {
  const outgoing = new Taking();
  const sending = sendPieces([new Uint8Array(10)], outgoing, {
    minBytesPerSecond: 0,
    isMemoryWanted,
    onTooSlow() {},
  });
  await outgoing.taken(1);
  await vi.advanceTimersByTimeAsync(3_600_000);
  outgoing.emit('drain');
  expect(await sending).toBe(10);
});
