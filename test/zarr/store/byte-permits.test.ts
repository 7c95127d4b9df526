import { expect, test } from 'vitest';
import { createBytePermits } from '../../../server/zarr/store/byte-permits.js';

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('holders never exceed the available bytes and proceed in order', async () => {
  const permits = createBytePermits(10);
  const order: string[] = [];
  const [first, second] = [gate(), gate()];
  const run = (name: string, bytes: number, until: Promise<void>) =>
    permits.withPermits(bytes, undefined, async () => {
      order.push(name);
      await until;
    });
  const all = [run('a', 6, first.opened), run('b', 6, second.opened), run('c', 1, first.opened)];
  await turn();
  expect(order).toEqual(['a']);
  first.open();
  await turn();
  expect(order).toEqual(['a', 'b', 'c']);
  second.open();
  await Promise.all(all);
});

test('a larger number selects all', async () => {
  const permits = createBytePermits(10);
  expect(await permits.withPermits(1000, undefined, async () => 'ran')).toBe('ran');
  expect(await permits.withPermits(10, undefined, async () => 'again')).toBe('again');
});

test('an aborted waiter leaves the queue, and the next one proceeds', async () => {
  const permits = createBytePermits(10);
  const { opened, open } = gate();
  const holding = permits.withPermits(8, undefined, () => opened);
  const controller = new AbortController();
  const waiting = permits.withPermits(8, controller.signal, async () => 'never');
  const small = permits.withPermits(2, undefined, async () => 'small');
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await small).toBe('small');
  await expect(permits.withPermits(8, controller.signal, async () => 'late')).rejects.toMatchObject({
    code: 'ABORTED',
  });
  open();
  await holding;
});

test('a holder that fails releases its bytes', async () => {
  const permits = createBytePermits(10);
  await expect(
    permits.withPermits(10, undefined, () => Promise.reject(new RangeError('no'))),
  ).rejects.toThrow('no');
  expect(await permits.withPermits(10, undefined, async () => 'ran')).toBe('ran');
});
