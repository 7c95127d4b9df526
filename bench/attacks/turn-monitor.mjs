/**
 * Measures how long the main thread of a program works between two turns of its event loop, in CPU time, which other
 * programs of the machine do not change. Loaded with `--import` into a child process, it reports the longest turn since
 * the last report when its parent sends a message.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.channel !== undefined) {
  let last = process.threadCpuUsage();
  let longest = 0;
  setInterval(() => {
    const { user, system } = process.threadCpuUsage();
    longest = Math.max(longest, user + system - last.user - last.system);
    last = { user, system };
  }, 1).unref();
  process.on('message', () => {
    process.send(longest / 1000);
    longest = 0;
  });
  process.channel.unref();
}
