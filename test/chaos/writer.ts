/**
 * A process that changes a store until it is killed, or for a given number of changes. Its environment contains the
 * store (CHAOS_STORE: address and options); a line `go ID COUNT` on its input starts it. Each printed line is an
 * acknowledged change.
 */
import { createInterface } from 'node:readline';
import { openHierarchy, openStoreFromUrl } from '../../server/zarr/index.js';
import { rowsOf, type Acknowledged, type StoreAddress } from './writers.js';

const { url, options }: StoreAddress = JSON.parse(process.env['CHAOS_STORE'] ?? '{}');
const store = openStoreFromUrl('chaos', url, { ...options, readonly: false });
const hierarchy = openHierarchy(store);

async function change(id: number, at: number): Promise<Acknowledged> {
  const value = id * 1000 + at + 1;
  switch (at % 4) {
    case 0: {
      const count = 1 + (at % 11);
      const { appended } = await hierarchy.append('/grown', rowsOf(value, count));
      return { kind: 'append', start: appended.start, count, value };
    }
    case 1: {
      const index = (id % 20) * 50 + Math.floor(at / 4) % 50; // prettier-ignore
      const slice = { kind: 'slice', start: index, stop: index + 1 } as const;
      await (await hierarchy.array('/cells')).select({ kind: 'dims', dims: [slice] }).write([value]);
      return { kind: 'write', index, value };
    }
    case 2: {
      const path = at % 8 === 2 ? '/grown' : '/';
      await hierarchy.setAttributes(path, { set: { [`k${value}`]: value } });
      return { kind: 'attribute', path, value };
    }
    default: {
      const path = `/made/n${value}`;
      await hierarchy.createArray(path, { shape: [2], dtype: 'int32', attributes: { value } });
      return { kind: 'create', path, value };
    }
  }
}

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const [, id = 0, count = 0] = line.split(' ').map(Number);
  for (let at = 0; at < count; at++) process.stdout.write(`${JSON.stringify(await change(id, at))}\n`);
  break;
}
await store.close();
process.exit(0);
