/**
 * The operations for JavaScript engines. `node adapter.mjs OPERATION STORE SELECTIONS CODEC` runs one of them and
 * prints one line of JSON: {seconds: [one per repetition], cpu: [CPU time of all threads, likewise], result, peakMb,
 * baseMb}, or {unavailable: reason}.
 * operations.py contains the same operations for Python engines. Keep the two in sync.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { residentMb } from '../../machine.mjs';

/** Times of repetitions in seconds. */
function createTimes() {
  const [seconds, cpu] = [[], []];
  return {
    /** Starts a repetition. @returns a function that ends it */
    start() {
      const cpuBefore = process.cpuUsage();
      const before = performance.now();
      return (isWarmUp = false) => {
        const after = performance.now();
        const { user, system } = process.cpuUsage(cpuBefore);
        if (isWarmUp) return;
        seconds.push((after - before) / 1000);
        cpu.push((user + system) / 1e6);
      };
    },
    all: () => ({ seconds, cpu }),
  };
}

/**
 * @param {object} engine
 * @param engine.open (store, codec) => array
 * @param engine.read (array, dims) => Uint16Array or a number; dims: null (all), an index or [start, stop] per
 * dimension
 * @param engine.reader (array) => a function that reads the whole array into the same memory each time; omitted if the
 *   engine always allocates
 * @param engine.write (store, codec, shape, values: Uint16Array); omitted if the engine cannot write
 * @param engine.countArrays (store, codec) => number; omitted if the engine cannot list
 */
export async function runAdapter(engine) {
  const [operation, store, selectionsPath, codec] = process.argv.slice(2);
  const selections = JSON.parse(readFileSync(selectionsPath, 'utf8'));
  const base = residentMb(process.pid).now;
  const outcome = await operations[operation]({ ...engine, store, codec, selections, selectionsPath });
  const peakMb = outcome.peakMb ?? residentMb(process.pid).peak;
  console.log(JSON.stringify({ ...outcome, peakMb, baseMb: base }));
}

const operations = {
  /** Reads the whole array: 3 times after one warm-up. */
  async full({ open, read, store, codec }) {
    const times = createTimes();
    let values;
    for (let k = 0; k < 4; k++) {
      const array = await open(store, codec);
      const end = times.start();
      values = await read(array, [null, null, null]);
      end(k === 0);
    }
    const { peak } = residentMb(process.pid);
    return { ...times.all(), result: digest([values]), peakMb: peak };
  },

  /** Reads the whole array into the same memory: 3 times after two warm-ups. */
  async reuse({ open, reader, store, codec }) {
    if (reader === undefined) return { unavailable: 'always allocates the result' };
    const read = await reader(await open(store, codec));
    const times = createTimes();
    let values;
    for (let k = 0; k < 5; k++) {
      const end = times.start();
      values = await read();
      end(k < 2);
    }
    return { ...times.all(), result: digest([values]) };
  },

  /** Single values, each from a different chunk, after five warm-ups. */
  async elem({ open, read, store, codec, selections }) {
    const array = await open(store, codec);
    const times = createTimes();
    const result = [];
    for (const [k, element] of selections.elements.entries()) {
      const end = times.start();
      const value = await read(array, element);
      end(k < 5);
      if (k >= 5) result.push(Number(value));
    }
    return { ...times.all(), result };
  },

  /** Sequential boxes, each overlapping several chunks: all boxes, 3 times. */
  async slices({ open, read, store, codec, selections }) {
    const box = (start) => start.map((from) => [from, from + selections.box]);
    const times = createTimes();
    let boxes = [];
    for (let round = 0; round < 3; round++) {
      const array = await open(store, codec);
      await read(array, box(selections.starts[0]));
      boxes = [];
      const end = times.start();
      for (const start of selections.starts.slice(1)) boxes.push(await read(array, box(start)));
      end();
    }
    return { ...times.all(), result: digest(boxes) };
  },

  /** Planes along the first dimension, after two warm-ups. */
  async plane({ open, read, store, codec, selections }) {
    const array = await open(store, codec);
    const times = createTimes();
    const planes = [];
    for (const [k, i] of selections.planes.entries()) {
      const end = times.start();
      const values = await read(array, [i, null, null]);
      end(k < 2);
      if (k >= 2) planes.push(values);
    }
    return { ...times.all(), result: digest(planes) };
  },

  /** Writes the whole array to a new array, twice. Another implementation then verifies the second copy. */
  async write({ write, store, codec, selections, selectionsPath }) {
    if (write === undefined) return { unavailable: 'cannot write compressed chunks' };
    const plain = readFileSync(join(dirname(selectionsPath), 'data.u2'));
    const values = new Uint16Array(plain.buffer, plain.byteOffset, plain.byteLength / 2);
    const times = createTimes();
    for (let k = 0; k < 2; k++) {
      const end = times.start();
      await write(join(store, String(k)), codec, selections.shape, values);
      end();
    }
    return times.all();
  },

  /** Lists every array of a hierarchy with shape and data type. */
  async tree({ countArrays, store, codec }) {
    const times = createTimes();
    let result = 0;
    for (let round = 0; round < 2; round++) {
      const end = times.start();
      result = await countArrays(store, codec);
      if (result === undefined) return { unavailable: 'lists only from consolidated metadata' };
      end();
    }
    return { ...times.all(), result };
  },
};

function digest(parts) {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  return sha.digest('hex');
}
