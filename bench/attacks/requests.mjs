/**
 * Requests that keep the event loop or all processors busy without many labels; see `run-case.mjs`.
 *
 *     npm run build && node bench/attacks/requests.mjs [PATTERN]
 */
import { join } from 'node:path';
import { runCase } from './run-case.mjs';

const coads = () => `s=${join(import.meta.dirname, '../../examples/data/coads.zarr')}`;
const MILLION = 1_000_000;

/** A variable of which no chunk is stored, and its regular coordinates. */
const grid = (shape, dtype = 'float32', chunkShape = shape) => `
  v: createArray(input: { store: "mem", path: "v", shape: [${shape}], chunkShape: [${chunkShape}], dtype: "${dtype}", fillValue: 1 }) { array { path } }`;

const onGrid = (selection) => ({
  query: `{ store(name: "mem") { array(path: "v") { slice { ${selection} } } } }`,
});

const reductions = Array.from(
  { length: 8 },
  (_, i) => `r${i}: reduce(by: STD, over: ["${i % 3}"]) { estimate { work chunks } }`,
);
const axes = ['a', 'b', 'c', 'd'];
const targets = Array.from({ length: 20_000 }, (_, i) => (i % 1900) / 100);

const cases = {
  '1,000 slices with 8 estimates': {
    store: coads,
    query: `query($r: [SliceRequest!]!) { slices(requests: $r) { ${reductions.join(' ')} } }`,
    variables: { r: Array.from({ length: 1000 }, () => ({ store: 's', path: 'SST' })) },
  },
  'line of width 100,000': {
    make: grid([10 * MILLION]),
    ...onGrid('line(width: 100000) { x { values } y { values } }'),
  },
  'interpolation at 20,000 points in 4 dimensions': {
    make: `
      g: createGroup(input: { store: "mem", path: "g" }) { group { path } }
      v: createArray(input: { store: "mem", path: "g/v", shape: [20, 20, 20, 20], dtype: "float32", fillValue: 1, dimensionNames: ["a", "b", "c", "d"] }) { array { path } }
      ${axes.map((name) => `${name}: createArray(input: { store: "mem", path: "g/${name}", shape: [20], dtype: "float64", dimensionNames: ["${name}"] }) { array { path } } w${name}: writeSlice(input: { store: "mem", path: "g/${name}", values: [${Array.from({ length: 20 }, (_, i) => i)}] }) { chunksWritten }`).join(' ')}`,
    query: `query($v: [JSON!]!) { store(name: "mem") { array(path: "g/v") { slice { interpolate(at: [${axes.map((name) => `{ dim: "${name}", values: $v, along: "track" }`)}]) { reduce(by: SUM) { values } } } } } }`,
    variables: { v: targets },
  },
  '40 slices with coordinates': {
    store: coads,
    query: `{ store(name: "s") { dataset { variables { name ${Array.from({ length: 40 }, (_, i) => `s${i}: slice(select: { text: "${i % 12}" }) { shape coordinates { name dtype { name } } }`).join(' ')} } } } }`,
  },
  '128 quantiles of 36 million values': {
    make: grid([36 * MILLION], 'float32', [MILLION]),
    ...onGrid(`statistics { quantiles(q: [${Array.from({ length: 128 }, (_, i) => i / 128)}]) }`),
  },
  'coarsen by MEDIAN of 100 million values': {
    make: grid([100 * MILLION], 'float32', [MILLION]),
    ...onGrid('coarsen(to: [{ dim: "0", size: 100 }], method: MEDIAN) { reduce(by: SUM) { values } }'),
  },
};

for (const name of ['line of width 100,000', '40 slices with coordinates'])
  cases[`${name}, 30 clients`] = { ...cases[name], clients: 30 };

const pattern = new RegExp(process.argv[2] ?? '');
for (const [name, attack] of Object.entries(cases)) if (pattern.test(name)) await runCase(name, attack);
