/** The operations, identical for all servers, with their expected values. */
import { openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../folders.mjs';

export const [times, rows, columns] = [365, 360, 720];
const random = seededRandom(7);
const integer = (below) => Math.floor(random() * below);
const shuffledTimes = shuffle([...Array(times).keys()]);
const pixels = Array.from({ length: 400 }, () => ({ y: integer(rows), x: integer(columns) }));
const pointSets = Array.from({ length: 100 }, () =>
  Array.from({ length: 20 }, () => [integer(times), integer(rows), integer(columns)]),
);

/**
 * `kind` selects the requests of a server. The list of operations is repeated in a cycle. An operation contains the
 * parameters of its request and `expected`, a function that reads the values from the source data.
 */
export const scenarios = {
  meta: { title: 'Metadata of the array', kind: 'meta', operations: [{}] },
  slice: {
    title: '1 MB slice, a different time step each',
    kind: 'slice',
    operations: shuffledTimes.map(sliceAt),
  },
  'slice-same': { title: '1 MB slice, the same time step', kind: 'slice', operations: [sliceAt(100)] },
  series: {
    title: 'Series of 365 points, a different pixel each',
    kind: 'series',
    operations: pixels.map(seriesAt),
  },
  'series-same': {
    title: 'Series of 365 points, the same pixel',
    kind: 'series',
    operations: [seriesAt(pixels[0])],
  },
  points: { title: '20 points', kind: 'points', operations: pointSets.map(pointsAt) },
};

function sliceAt(t) {
  return { t, expected: () => plainValues(t * rows * columns, rows * columns) };
}

function seriesAt({ y, x }) {
  return { y, x, expected: () => Float32Array.from({ length: times }, (_, t) => plainValue(t, y, x)) };
}

function pointsAt(points) {
  return { points, expected: () => Float32Array.from(points, ([t, y, x]) => plainValue(t, y, x)) };
}

function plainValue(t, y, x) {
  return plainValues((t * rows + y) * columns + x, 1)[0];
}

let plainFile;

function plainValues(first, count) {
  plainFile ??= openSync(join(dataFolder, 'gateway', 't2m.f4'));
  const values = new Float32Array(count);
  readSync(plainFile, values, 0, values.byteLength, 4 * first);
  return values;
}

/** mulberry32, seeded: the same requests on every machine. */
function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffle(list) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = integer(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}
