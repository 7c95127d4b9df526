/**
 * One measurement of our engine in a process of its own: `node engine-adapter.mjs OP DIRECTORY SELECTIONS CODEC`, after
 * `npm run build`. Prints one line of JSON: seconds of each repetition, what was read (to be compared with the plain
 * data), and the memory that it took. No cache of decoded chunks is on.
 */
import { readFileSync } from 'node:fs';
import { createFilesystemStore, openHierarchy } from '../dist/server/zarr/index.js';

const [op, root, selectionsPath] = process.argv.slice(2);
const selections = op === 'tree' ? undefined : JSON.parse(readFileSync(selectionsPath, 'utf8'));
const memory = (name) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
const base = memory('VmRSS');
const now = () => performance.now() / 1000;
const sum = (values) => values.reduce((total, value) => total + value, 0);
const index = (i) => ({ kind: 'index', index: i });
const range = (start, stop) => ({ kind: 'slice', start, stop });
const open = () => openHierarchy(createFilesystemStore({ label: 'bench', root }));
const typed = ({ bytes }) => new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
const read = async (array, dims) => typed(await array.select({ kind: 'dims', dims }).read());
/** Sums are exact in doubles up to 2^53; a loop is faster than reduce on typed arrays of this size. */
const total = (values) => {
  let t = 0;
  for (let i = 0; i < values.length; i++) t += values[i];
  return t;
};

const operations = {
  async full() {
    const seconds = [];
    let last;
    for (let k = 0; k < 4; k++) {
      const array = await open().array('/');
      const start = now();
      last = await read(array, []);
      if (k > 0) seconds.push(now() - start);
    }
    return {
      s: seconds,
      check: [total(last), last[12345], last[23456789], last[50000001]],
      peak: memory('VmHWM'),
    };
  },
  async elem() {
    const array = await open().array('/');
    const [seconds, check] = [[], []];
    for (const [k, element] of selections.elems.entries()) {
      const start = now();
      const [value] = await read(array, element.map(index));
      if (k >= 5) {
        seconds.push(now() - start);
        check.push(value);
      }
    }
    return { s: seconds, check };
  },
  async slices() {
    const seconds = [];
    let check;
    const box = (start) => start.map((from) => range(from, from + selections.box));
    for (let round = 0; round < 3; round++) {
      const array = await open().array('/');
      await read(array, box(selections.starts[0]));
      const boxes = [];
      const start = now();
      for (const place of selections.starts.slice(1)) boxes.push(await read(array, box(place)));
      seconds.push(now() - start);
      check = sum(boxes.map((values, k) => (k + 1) * total(values)));
    }
    return { s: seconds, check };
  },
  async plane() {
    const array = await open().array('/');
    const [seconds, check] = [[], []];
    for (const [k, i] of selections.planes.entries()) {
      const start = now();
      const values = await read(array, [index(i)]);
      if (k >= 2) {
        seconds.push(now() - start);
        check.push(total(values));
      }
    }
    return { s: seconds, check };
  },
  async tree() {
    const seconds = [];
    let check = 0;
    for (let round = 0; round < 2; round++) {
      const start = now();
      check = 0;
      for await (const entry of open().walk('/', { recursive: true })) {
        if (entry.kind !== 'array') continue;
        const array = entry.open();
        if (array.shape.length > 0 && array.meta.dtypeName !== '') check++;
      }
      seconds.push(now() - start);
    }
    return { s: seconds, check };
  },
};

const run = operations[op];
if (run === undefined) console.log(JSON.stringify({ na: 'not measured yet' }));
else {
  const { s, check, peak } = await run();
  const rounded = s.map((one) => Number(one.toFixed(6)));
  console.log(
    JSON.stringify({
      s: rounded,
      check,
      rss_mb: Math.round(peak ?? memory('VmHWM')),
      rss_base_mb: Math.round(base),
    }),
  );
}
