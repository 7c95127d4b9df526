/**
 * The operations for JavaScript engines. `node adapter.mjs OPERATION STORE SELECTIONS CODEC` runs one of them and
 * prints one line of JSON: {seconds: [one per repetition], result, peakMb, baseMb}, or {unavailable: reason}.
 * operations.py contains the same operations for Python engines. Keep the two in sync.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { residentMb } from '../../machine.mjs';

const now = () => performance.now() / 1000;

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
    const seconds = [];
    let values;
    for (let k = 0; k < 4; k++) {
      const array = await open(store, codec);
      const start = now();
      values = await read(array, [null, null, null]);
      if (k > 0) seconds.push(now() - start);
    }
    const { peak } = residentMb(process.pid);
    return { seconds, result: digest([values]), peakMb: peak };
  },

  /** Reads the whole array into the same memory: 3 times after two warm-ups. */
  async reuse({ open, reader, store, codec }) {
    if (reader === undefined) return { unavailable: 'always allocates the result' };
    const read = await reader(await open(store, codec));
    const seconds = [];
    let values;
    for (let k = 0; k < 5; k++) {
      const start = now();
      values = await read();
      if (k > 1) seconds.push(now() - start);
    }
    return { seconds, result: digest([values]) };
  },

  /** Single values, each from a different chunk, after five warm-ups. */
  async elem({ open, read, store, codec, selections }) {
    const array = await open(store, codec);
    const [seconds, result] = [[], []];
    for (const [k, element] of selections.elements.entries()) {
      const start = now();
      const value = await read(array, element);
      if (k < 5) continue;
      seconds.push(now() - start);
      result.push(Number(value));
    }
    return { seconds, result };
  },

  /** Sequential boxes, each overlapping several chunks: all boxes, 3 times. */
  async slices({ open, read, store, codec, selections }) {
    const box = (start) => start.map((from) => [from, from + selections.box]);
    const seconds = [];
    let boxes = [];
    for (let round = 0; round < 3; round++) {
      const array = await open(store, codec);
      await read(array, box(selections.starts[0]));
      boxes = [];
      const start = now();
      for (const start of selections.starts.slice(1)) boxes.push(await read(array, box(start)));
      seconds.push(now() - start);
    }
    return { seconds, result: digest(boxes) };
  },

  /** Planes along the first dimension, after two warm-ups. */
  async plane({ open, read, store, codec, selections }) {
    const array = await open(store, codec);
    const [seconds, planes] = [[], []];
    for (const [k, i] of selections.planes.entries()) {
      const start = now();
      const values = await read(array, [i, null, null]);
      if (k < 2) continue;
      seconds.push(now() - start);
      planes.push(values);
    }
    return { seconds, result: digest(planes) };
  },

  /** Writes the whole array to a new array, twice. Another implementation then verifies the second copy. */
  async write({ write, store, codec, selections, selectionsPath }) {
    if (write === undefined) return { unavailable: 'cannot write compressed chunks' };
    const plain = readFileSync(join(dirname(selectionsPath), 'data.u2'));
    const values = new Uint16Array(plain.buffer, plain.byteOffset, plain.byteLength / 2);
    const seconds = [];
    for (let k = 0; k < 2; k++) {
      const start = now();
      await write(join(store, String(k)), codec, selections.shape, values);
      seconds.push(now() - start);
    }
    return { seconds };
  },

  /** Lists every array of a hierarchy with shape and data type. */
  async tree({ countArrays, store, codec }) {
    const seconds = [];
    let result = 0;
    for (let round = 0; round < 2; round++) {
      const start = now();
      result = await countArrays(store, codec);
      if (result === undefined) return { unavailable: 'lists only from consolidated metadata' };
      seconds.push(now() - start);
    }
    return { seconds, result };
  },
};

function digest(parts) {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  return sha.digest('hex');
}
