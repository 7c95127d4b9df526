/** Coordinates of dimensions that operations created: the labels at the positions of a slice. Pure. */
import { type Block, type ResolvedDim, type ResolvedSelection, sizeOf, type SliceOrigin, takeElements } from '../../zarr/index.js'; // prettier-ignore
import { countAlong, positionAlong } from '../positions.js';
import { MadeLabels } from './made-labels.js';

export interface MadeCoordinate {
  readonly made: MadeLabels;
  readonly values: Block;
  readonly bounds: Block | undefined;
  /** Name of its dimension. */
  readonly dimension: string;
}

export function madeCoordinates({ made, selection }: SliceOrigin): MadeCoordinate[] {
  return (made ?? []).flatMap((one, place) => {
    const dim = dimAt(selection, place);
    if (one === undefined || dim === undefined) return [];
    const { labels: first, chosen, points } = one;
    const positions = Float64Array.from({ length: countAlong(dim) }, (_, i) => {
      const position = positionAlong(dim, i);
      return chosen?.[position] ?? position;
    });
    const of = (block: Block): Block => takeRows(block, positions, dim.dropped);
    return [first, ...(points?.beside ?? [])].flatMap((labels): MadeCoordinate[] => {
      if (!(labels instanceof MadeLabels)) return [];
      const { name, values, bounds } = labels;
      const dimension = points?.dimension ?? name;
      return [
        {
          made: labels,
          values: of(values),
          bounds: bounds === undefined ? undefined : of(bounds),
          dimension,
        },
      ];
    });
  });
}

function dimAt(selection: ResolvedSelection, place: number): ResolvedDim | undefined {
  if (selection.kind === 'box') return selection.dims[place];
  const at = selection.at[place];
  if (at === undefined) return undefined;
  return selection.dropped
    ? { kind: 'range', start: at[0] ?? 0, step: 1, count: 1, dropped: true }
    : { kind: 'list', at, dropped: false };
}

/** Selected rows of a block, whose first dimension is the dimension of the labels. */
function takeRows(block: Block, rows: Float64Array, isDropped: boolean): Block {
  const inner = block.shape.slice(1);
  const size = sizeOf(inner);
  const positions = Float64Array.from(
    { length: rows.length * size },
    (_, i) => (rows[Math.floor(i / size)] ?? 0) * size + (i % size),
  );
  return takeElements(block, positions, isDropped ? inner : [rows.length, ...inner]);
}
