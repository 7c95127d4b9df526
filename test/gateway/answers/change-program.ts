/** A process that changes folders: each line of its input is a change, which it acknowledges with a line. */
import { createInterface } from 'node:readline';
import { applyChange, openFolders } from './changes.js';

const folders = openFolders(process.argv.slice(2));
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  await applyChange(folders, JSON.parse(line));
  process.stdout.write('done\n');
}
await Promise.all(folders.map(({ store }) => store.close()));
