/**
 * A process that writes positions of the only chunk of an array concurrently, through several stores so that no lock
 * within the process orders the writes. Prints the outcome of each: { position: 'written' | error code }.
 */
import { createS3Store } from '../../server/store/s3.js';
import { openHierarchy } from '../../server/zarr/index.js';
import { isZarrError } from '../../server/core/errors.js';

const [endpoint = '', url = '', accessKeyId = '', secretAccessKey = '', first = '0', count = '0'] =
  process.argv.slice(2);
const stores = Array.from({ length: 5 }, () =>
  createS3Store({ label: 'test', url, endpoint, credentials: { accessKeyId, secretAccessKey } }),
);
const outcomes: Record<number, string> = {};

async function write(position: number): Promise<void> {
  const store = stores[position % stores.length];
  if (store === undefined) return;
  try {
    const array = await openHierarchy(store).array('/');
    const slice = array.select({
      kind: 'dims',
      dims: [{ kind: 'slice', start: position, stop: position + 1 }],
    });
    await slice.write({ shape: [1], data: Int32Array.of(position + 1) });
    outcomes[position] = 'written';
  } catch (error) {
    outcomes[position] = isZarrError(error) ? error.code : String(error);
  }
}

await Promise.all(Array.from({ length: Number(count) }, (_, at) => write(Number(first) + at)));
await Promise.all(stores.map((store) => store.close()));
console.log(JSON.stringify(outcomes));
