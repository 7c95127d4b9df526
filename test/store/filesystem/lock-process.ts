/**
 * A process for the tests of the lock between processes:
 *
 * - `FOLDER parts FIRST END` writes every second element of /parts from FIRST to END, one at a time;
 * - `FOLDER append COUNT` appends to /grown until COUNT values are stored after a shrink, and prints the position and
 *   value of each;
 * - `FOLDER shrink LENGTH` resizes /grown;
 * - `FOLDER die NAME` holds the lock NAME until the process is killed.
 */
import { createFilesystemStore } from '../../../server/store/filesystem.js';
import { openHierarchy } from '../../../server/zarr/hierarchy.js';

const [root = '', task, first = '', second = ''] = process.argv.slice(2);
const store = createFilesystemStore({ label: 'shared', root, lock: true });
const hierarchy = openHierarchy(store);

if (task === 'parts') {
  const array = await hierarchy.array('/parts');
  for (let at = Number(first); at < Number(second); at += 2)
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', start: at, stop: at + 1 }] }).write([at + 1]);
} else if (task === 'append') {
  let last = -1;
  let kept = 0;
  let isShrunk = false;
  for (let value = 1; kept < Number(first); value++) {
    const { appended } = await hierarchy.append('/grown', [value]);
    if (appended.start <= last) isShrunk = true;
    if (isShrunk) {
      process.stdout.write(`${appended.start} ${value}\n`);
      kept++;
    } else if (value === 1) process.stdout.write('started\n');
    last = appended.start;
  }
} else if (task === 'shrink') await hierarchy.resize('/grown', [Number(first)]);
else if (task === 'die')
  await store.withLock?.(first, async () => {
    process.stdout.write('held\n');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
await store.close();
