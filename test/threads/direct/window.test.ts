/** Coordination of threads through the shared memory of a window. */
import { expect, test } from 'vitest';
import { createWindow, openWindow } from '../../../server/threads/direct/window.js';

function twoTasks() {
  const chunk = { file: 0, offset: 0, length: undefined, crc: undefined, position: [0] };
  const files = { number: 0, files: ['a'], versions: [undefined], rank: 1 };
  const window = createWindow(files, [0, 1], [chunk, chunk]);
  return { window, thread: openWindow(window.shared) };
}

test('a window is over when all threads that joined have left', () => {
  const { window, thread } = twoTasks();
  expect(thread.join()).toBe(true);
  expect([thread.take(), window.take()]).toEqual([0, 1]);
  expect(window.isOver()).toBe(false);
  thread.leave(3, 500);
  expect(window.isOver()).toBe(true);
  expect(window.read()).toEqual({ requests: 3, bytes: 500 });
});

test('a thread that starts late does not join', () => {
  const { window, thread } = twoTasks();
  expect(window.isOver()).toBe(false);
  window.take();
  window.take();
  expect(window.isOver()).toBe(true);
  expect(thread.join()).toBe(false);
  expect(window.isOver()).toBe(true);
});

test('no thread joins a cancelled window', () => {
  const { window, thread } = twoTasks();
  window.cancel();
  expect(window.isOver()).toBe(true);
  expect(thread.join()).toBe(false);
});
