/** The origin of a mapped slice's dimensions. Pure. */
import type { LazySlice, SliceOrigin } from './lazy-slice.js';
import { anonymousOrigin, withDims } from './picked-slice.js';
import { mappedLength, mappedShape, type AxisMap } from '../compute/axis-map.js';
import type { LeadingDim, MadeDim } from '../compute/made-dim.js';
import { countOf, positionAt, type ResolvedDim } from '../format/selection/selection.js';

/** @param leading an additional first dimension, if any */
export function mappedOrigin(
  { origin, shape }: Pick<LazySlice, 'origin' | 'shape'>,
  maps: readonly AxisMap[],
  leading: LeadingDim | undefined,
): SliceOrigin {
  if (leading === undefined && maps.every(({ kind }) => kind === 'keep')) return origin;
  if (origin.selection.kind === 'points') {
    const outer = mappedShape(maps.slice(0, origin.selection.dropped ? 0 : 1), shape);
    const anonymous = anonymousOrigin(outer);
    return leading === undefined ? anonymous : withLeading(anonymous, leading);
  }
  const selected = origin.selection.dims;
  let d = 0;
  const along = selected.map((dim) => (dim.dropped ? undefined : maps[d++]));
  const isKept = (axis: number): boolean =>
    along[axis] === undefined || along[axis].kind === 'keep' || along[axis].kind === 'all';
  const countAt = (axis: number): number | undefined => {
    const map = along[axis];
    if (map?.kind === 'groups' || map?.kind === 'spans') return mappedLength(map, 0);
    const taken = labels?.[axis] === undefined ? undefined : selected[axis];
    return map?.kind === 'blocks' && taken !== undefined ? mappedLength(map, countOf(taken)) : undefined;
  };
  const { coarsened: blocks, made: labels, ...plain } = origin;
  const coarsened = along.map((map, axis) => {
    if (isKept(axis)) return blocks?.[axis];
    if (map?.kind !== 'blocks' || labels?.[axis] !== undefined) return undefined;
    const before = blocks?.[axis];
    const name = before === undefined ? (origin.dimensionNames[axis] ?? null) : before.name;
    return { name, factor: map.size, chosen: undefined, ...(before === undefined ? {} : { before }) };
  });
  const made = along.map((map, axis) => {
    if (isKept(axis)) return labels?.[axis];
    if (map?.kind === 'groups' || map?.kind === 'spans') return map.made;
    return map?.kind === 'blocks' ? blocksOf(labels?.[axis], selected[axis], map.size) : undefined;
  });
  const mapped: SliceOrigin = {
    ...plain,
    dimensionNames: origin.dimensionNames.map((name, axis) => (isKept(axis) ? name : null)),
    shape: origin.shape.map((size, axis) => countAt(axis) ?? size),
    chunks: origin.chunks.map((dim, axis) => (countAt(axis) === undefined ? dim : undefined)),
    selection: {
      kind: 'box',
      dims: selected.map((dim, axis) => {
        const count = countAt(axis);
        return count === undefined ? dim : wholeDim(count);
      }),
    },
    ...(coarsened.every((dim) => dim === undefined) ? {} : { coarsened }),
    ...(made.every((dim) => dim === undefined) ? {} : { made }),
  };
  const kept = withDims(mapped, (axis) => along[axis]?.kind !== 'all');
  return leading === undefined ? kept : withLeading(kept, leading);
}

/** The labels of blocks of positions; undefined if there are none. */
function blocksOf(
  made: MadeDim | undefined,
  dim: ResolvedDim | undefined,
  size: number,
): MadeDim | undefined {
  if (made === undefined || dim === undefined) return undefined;
  const positions = Float64Array.from({ length: countOf(dim) }, (_, i) => {
    const position = positionAt(dim, i);
    return made.chosen?.[position] ?? position;
  });
  const means = [made.labels, ...(made.points?.beside ?? [])].flatMap(
    (labels) => labels.inBlocks?.(positions, size, dim.wrap) ?? [],
  );
  const [labels, ...beside] = means;
  if (labels === undefined) return undefined;
  const points = made.points === undefined ? undefined : { ...made.points, beside };
  return { labels, chosen: undefined, points };
}

function withLeading(origin: SliceOrigin, { size, labels }: LeadingDim): SliceOrigin {
  const { selection, coarsened } = origin;
  const made = origin.made ?? (labels === undefined ? undefined : origin.shape.map(() => undefined));
  const first = labels === undefined ? undefined : { labels, chosen: undefined };
  return {
    dimensionNames: [null, ...origin.dimensionNames],
    shape: [size, ...origin.shape],
    chunks: [undefined, ...origin.chunks],
    selection: {
      kind: 'box',
      dims: [wholeDim(size), ...(selection.kind === 'box' ? selection.dims : [])],
    },
    ...(coarsened === undefined ? {} : { coarsened: [undefined, ...coarsened] }),
    ...(made === undefined ? {} : { made: [first, ...made] }),
  };
}

export function wholeDim(count: number): ResolvedDim {
  return { kind: 'range', start: 0, step: 1, count, dropped: false };
}

/** Converts positions to positions relative to `first`. */
export function relativeTo(first: number, dim: ResolvedDim): ResolvedDim {
  if (dim.kind === 'list') return { ...dim, at: dim.at.map((position) => position - first) };
  return { ...dim, start: dim.count === 0 ? 0 : dim.start - first };
}
