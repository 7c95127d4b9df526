/** Nested lists: brackets around elements according to a shape. */
import { defined } from '../../../wire/guards.js';
import { advance, type ElementRange } from '../../zarr/index.js';

/** Size of a piece in characters: a compromise between memory and the cost of each piece. */
export const PIECE_CHARACTERS = 2 ** 16;

/** Maximum number of elements converted to text at once. */
const SEGMENT = 2 ** 12;

/** Writes elements `from` (inclusive) to `to` (exclusive), as indices in C order, separated by commas. */
export interface SegmentText {
  (from: number, to: number): string;
  /** The end of a segment of limited length; at most `to`. @default `to` */
  readonly end?: (from: number, to: number) => number;
  /** The text of one element in pieces, if it is too long to create at once. */
  readonly pieces?: (i: number) => Iterable<string> | undefined;
}

/** Writes the elements of `segment` with indices shifted by `offset`. */
export function shifted(segment: SegmentText, offset: number): SegmentText {
  const { end, pieces } = segment;
  return Object.assign((from: number, to: number) => segment(from - offset, to - offset), {
    ...(end === undefined
      ? {}
      : { end: (from: number, to: number) => end(from - offset, to - offset) + offset }),
    ...(pieces === undefined ? {} : { pieces: (i: number) => pieces(i - offset) }),
  });
}

/** Number of lists in the nested form of a shape, which counts as output in addition to the elements. */
export function listCount(shape: readonly number[]): number {
  let lists = 0;
  let size = 1;
  for (const length of shape) {
    lists += size;
    size *= length;
  }
  return lists;
}

/**
 * Writes nested lists of elements in C order, in pieces. For a shape without dimensions, writes the bare
 * element. A dimension of length 0 ends the nesting: (3, 0) is `[[],[],[]]`.
 * @param range writes only these elements, with the brackets and commas before them (and, after the last
 * element of all, those after it), so that the texts of consecutive parts concatenate to the whole. Only for
 * shapes without zeros.
 */
export function* listText(
  shape: readonly number[],
  segment: SegmentText,
  range?: ElementRange,
): Generator<string> {
  if (shape.length === 0) {
    const pieces = segment.pieces?.(0);
    if (pieces === undefined) yield segment(0, 1);
    else yield* pieces;
    return;
  }
  const empty = shape.indexOf(0);
  const visible = empty < 0 ? shape : shape.slice(0, empty + 1);
  const rank = visible.length;
  const rowLength = defined(visible[rank - 1]);
  const rows = visible.slice(0, -1).reduce((product, length) => product * length, 1);
  const first = range?.from ?? 0;
  const last = range?.to ?? rows * rowLength;
  let row = rowLength === 0 ? 0 : Math.floor(first / rowLength);
  const at = row === 0 ? new Array<number>(rank - 1).fill(0) : indicesAt(row, visible.slice(0, -1));
  let text = first === 0 ? '['.repeat(rank) : first % rowLength === 0 ? '' : ',';
  for (; row < rows && (rowLength === 0 || row * rowLength < last); row++) {
    if (row > 0 && row * rowLength >= first) {
      const closed = at.length - at.findLastIndex((index) => index > 0);
      text += `${']'.repeat(closed)},${'['.repeat(closed)}`;
    }
    const end = Math.min(last, (row + 1) * rowLength);
    let to = 0;
    for (let from = Math.max(first, row * rowLength); from < end; from = to) {
      to = Math.min(end, from + SEGMENT);
      to = segment.end?.(from, to) ?? to;
      const pieces = to === from + 1 ? segment.pieces?.(from) : undefined;
      if (pieces === undefined) text += segment(from, to);
      else {
        if (text !== '') yield text;
        text = '';
        yield* pieces;
      }
      if (to < end) text += ',';
      if (text.length >= PIECE_CHARACTERS) {
        yield text;
        text = '';
      }
    }
    if (text.length >= PIECE_CHARACTERS) {
      yield text;
      text = '';
    }
    advance(at, visible);
  }
  yield last === rows * rowLength ? text + ']'.repeat(rank) : text;
}

/** Converts an index in C order to one index per dimension. */
export function indicesAt(index: number, shape: readonly number[]): number[] {
  const position: number[] = [];
  let rest = index;
  for (const length of shape.toReversed()) {
    position.unshift(length === 0 ? 0 : rest % length);
    rest = length === 0 ? 0 : Math.floor(rest / length);
  }
  return position;
}
