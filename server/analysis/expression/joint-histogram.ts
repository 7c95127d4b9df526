/** Two-dimensional histograms: counts of pairs of two expressions in bins of both. */
import { defined } from '../../../wire/guards.js';
import type { CoordinateReader } from '../../dataset/coordinate-reader.js';
import { floatLabels, MadeLabels } from '../../dataset/grouping/made-labels.js';
import {
  dataOf,
  equalEdges,
  guardSlice,
  InputError,
  type LazySlice,
  objectName,
  pairHistogram,
  pairRangeSlice,
  positionOfDim,
} from '../../zarr/index.js';
import type { Node } from './syntax.js';
import { errorAt } from './tokens.js';

/** Maximum number of bins of both dimensions together. */
const MAX_BINS = 2 ** 20;
const MAX_EDGES = 4096;

type Bins =
  | { readonly kind: 'edges'; readonly edges: Float64Array }
  /** Bins of equal width, between the extremes of the values if there is no range. */
  | { readonly kind: 'equal'; readonly count: number; readonly range: readonly [number, number] | undefined };

const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const equalForm = new RegExp(`^(\\d{1,7})(?:\\s+from\\s+(${number})\\s+to\\s+(${number}))?$`);
const edgesForm = new RegExp(`^${number}(?:\\s*,\\s*${number})+$`);

/** @throws InputError for other forms than `20`, `20 from -2 to 35` and `0, 10, 20, 30` */
function parseBins(node: Node): Bins {
  const text = node.kind === 'text' ? node.text.trim() : '';
  const equal = equalForm.exec(text);
  if (equal !== null) {
    const [, count = '', from, to] = equal;
    const range = from === undefined || to === undefined ? undefined : ([Number(from), Number(to)] as const);
    if (Number(count) < 1) throw errorAt(node.column, 'a histogram has at least one bin');
    if (range !== undefined && !(range[0] < range[1]))
      throw errorAt(node.column, 'the range of bins must not end before it begins');
    return { kind: 'equal', count: Number(count), range };
  }
  if (!edgesForm.test(text))
    throw errorAt(
      node.column,
      'the bins of a histogram are text: their number "20", "20 from -2 to 35", or their edges "0, 10, 20, 30"',
    );
  const edges = Float64Array.from(text.split(','), Number);
  if (edges.length > MAX_EDGES) throw errorAt(node.column, `at most ${MAX_EDGES} edges are allowed`);
  if (edges.some((edge, k) => k > 0 && !(edge > defined(edges[k - 1]))))
    throw errorAt(node.column, 'the edges of bins must ascend');
  return { kind: 'edges', edges };
}

/**
 * Reads the extremes of the values if the bins are between them, charged to the request.
 * @param call `histogram(a, b, bins, bins, "dimension", ...)`
 * @param combine creates the pairs of both expressions
 * @throws InputError for invalid bins and dimensions, and for values that are not finite; errors from reading
 */
export async function jointHistogram(
  { operands, column }: Extract<Node, { kind: 'call' }>,
  combine: (a: Node, b: Node) => LazySlice,
  coordinates: CoordinateReader,
): Promise<LazySlice> {
  const [a, b, binsOfA, binsOfB, ...rest] = operands;
  if (a === undefined || b === undefined || binsOfA === undefined || binsOfB === undefined)
    throw errorAt(column, 'histogram takes two expressions and the bins of both as text');
  const bins = [parseBins(binsOfA), parseBins(binsOfB)] as const;
  const [x, y] = bins.map((one) => (one.kind === 'edges' ? one.edges.length - 1 : one.count));
  if (defined(x) * defined(y) > MAX_BINS)
    throw errorAt(column, `a histogram has at most ${MAX_BINS} bins; these are ${defined(x)} x ${defined(y)}`);
  const pairs = combine(a, b);
  const over = rest.map((node) => {
    if (node.kind === 'text') return positionOfDim(node.text, pairs.dims);
    throw errorAt(node.column, 'the dimensions of a histogram are text, such as "time"');
  });
  if (new Set(over).size < over.length) throw errorAt(column, 'a dimension is listed more than once');
  const all = over.length === 0 ? [...pairs.shape.keys()] : over;
  const names = namesOfBins(a, b);
  const kept = pairs.dims.filter((_, d) => !all.includes(d));
  const twice = names.find((name) => kept.some((dim) => dim.name === name));
  if (twice !== undefined) throw errorAt(column, `the values already have a dimension "${twice}"`);
  const isOpen = bins.some((one) => one.kind === 'equal' && one.range === undefined);
  const { ends, guarded } = isOpen ? await endsOf(pairs, coordinates) : { ends: undefined, guarded: pairs };
  const axes = bins.map((one, i) => {
    const edges = edgesOf(one, ends?.slice(2 * i, 2 * i + 2));
    return { edges, labels: labelsOf(defined(names[i]), edges) };
  });
  return pairHistogram(guarded, all, [defined(axes[0]), defined(axes[1])]);
} // prettier-ignore

function namesOfBins(a: Node, b: Node): readonly [string, string] {
  const nameOf = (node: Node, other: string): string => (node.kind === 'name' ? `${node.name}_bins` : other);
  const [x, y] = [nameOf(a, 'x_bins'), nameOf(b, 'y_bins')];
  return x === y ? ['x_bins', 'y_bins'] : [x, y];
}

/** The extremes of the pairs, and pairs that are valid while these have not changed. */
async function endsOf(
  pairs: LazySlice,
  coordinates: CoordinateReader,
): Promise<{ readonly ends: Float64Array; readonly guarded: LazySlice }> {
  const slice = pairRangeSlice(pairs);
  const versions = new Map<string, string | undefined>();
  const block = await coordinates.read(slice, {
    onVersion: (object, version) => versions.set(objectName(object), version),
  });
  const areKnown = versions.size > 0 && [...versions.values()].every((version) => version !== undefined);
  const known = { slice, block, versions: areKnown ? versions : undefined };
  return { ends: dataOf(block, 'float64'), guarded: guardSlice(pairs, [known]) };
}

/** As in NumPy: without values, from 0 to 1; equal values are in the middle of a range of length 1. */
function edgesOf(bins: Bins, ends: Float64Array | undefined): Float64Array {
  if (bins.kind === 'edges') return bins.edges;
  const [low = Infinity, high = -Infinity] = bins.range ?? ends ?? [];
  const [first, last] = low > high ? [0, 1] : low === high ? [low - 0.5, high + 0.5] : [low, high];
  if (!Number.isFinite(first) || !Number.isFinite(last))
    throw new InputError('the values are not all finite; give the bins of the histogram a range');
  const edges = equalEdges(first, last, bins.count);
  if (edges.some((edge, k) => k > 0 && !(edge > defined(edges[k - 1]))))
    throw new InputError(
      `float64 cannot represent ${bins.count} bins between ${first} and ${last}; use fewer bins or a wider range`,
    );
  return edges;
}

function labelsOf(name: string, edges: Float64Array): MadeLabels {
  const count = edges.length - 1;
  const bounds = new Float64Array(2 * count);
  const middles = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const [low, high] = [defined(edges[k]), defined(edges[k + 1])];
    bounds.set([low, high], 2 * k);
    middles[k] = (low + high) / 2;
  }
  return new MadeLabels(name, { stored: floatLabels(middles), bounds: floatLabels(bounds, [count, 2]) });
}
