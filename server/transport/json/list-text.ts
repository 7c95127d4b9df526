/** The brackets around elements: lists nested like a shape. */

/** Text is handed on when it is this long: enough to make the cost of handing on vanish, little to hold. */
export const PIECE_CHARACTERS = 2 ** 16;

/** Elements that are turned into text in one go. */
const SEGMENT = 2 ** 12;

/** Elements `from` up to, not including, `to` (places in C order), with commas between them. */
export type SegmentText = (from: number, to: number) => string;

/** How many lists nest to show a shape: what a shape with empty or very short rows costs beside its elements. */
export function listCount(shape: readonly number[]): number {
  let lists = 0;
  let size = 1;
  for (const length of shape) {
    lists += size;
    size *= length;
  }
  return lists;
}

/** A part of the elements, by their places in C order; `to` is not included. */
export interface ElementRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Nested lists of elements in C order, in pieces. A shape without dimensions gives the bare element. Behind a dimension
 * of length 0 nothing can nest: (3, 0) is `[[],[],[]]`.
 * @param range only these elements, with the brackets and commas that stand before them (and, after the last element of
 *   all, those behind it): the texts of parts that follow one another make the whole. Only for shapes without zeros.
 */
export function* listText(
  shape: readonly number[],
  segment: SegmentText,
  range?: ElementRange,
): Generator<string> {
  if (shape.length === 0) {
    yield segment(0, 1);
    return;
  }
  const empty = shape.indexOf(0);
  const visible = empty < 0 ? shape : shape.slice(0, empty + 1);
  const rank = visible.length;
  const rowLength = visible[rank - 1] ?? 0;
  const rows = visible.slice(0, -1).reduce((product, length) => product * length, 1);
  const first = range?.from ?? 0;
  const last = range?.to ?? rows * rowLength;
  let row = rowLength === 0 ? 0 : Math.floor(first / rowLength);
  const at = placeOf(row, visible.slice(0, -1));
  let text = first === 0 ? '['.repeat(rank) : first % rowLength === 0 ? '' : ',';
  for (; row < rows && (rowLength === 0 || row * rowLength < last); row++) {
    if (row > 0 && row * rowLength >= first) {
      const closed = at.length - at.findLastIndex((place) => place > 0);
      text += `${']'.repeat(closed)},${'['.repeat(closed)}`;
    }
    const end = Math.min(last, (row + 1) * rowLength);
    for (let from = Math.max(first, row * rowLength); from < end; from += SEGMENT) {
      const to = Math.min(end, from + SEGMENT);
      text += segment(from, to);
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

/** The place of an element in C order as one along each dimension. */
export function placeOf(index: number, shape: readonly number[]): number[] {
  const place: number[] = [];
  let rest = index;
  for (const length of shape.toReversed()) {
    place.unshift(length === 0 ? 0 : rest % length);
    rest = length === 0 ? 0 : Math.floor(rest / length);
  }
  return place;
}

/** To the next row. */
function advance(at: number[], shape: readonly number[]): void {
  for (let d = at.length - 1; d >= 0; d--) {
    const next = (at[d] ?? 0) + 1;
    if (next < (shape[d] ?? 0)) {
      at[d] = next;
      return;
    }
    at[d] = 0;
  }
}
