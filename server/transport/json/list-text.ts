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

/**
 * Nested lists of elements in C order, in pieces. A shape without dimensions gives the bare element. Behind a dimension
 * of length 0 nothing can nest: (3, 0) is `[[],[],[]]`.
 */
export function* listText(shape: readonly number[], segment: SegmentText): Generator<string> {
  if (shape.length === 0) {
    yield segment(0, 1);
    return;
  }
  const empty = shape.indexOf(0);
  const visible = empty < 0 ? shape : shape.slice(0, empty + 1);
  const rank = visible.length;
  const rowLength = visible[rank - 1] ?? 0;
  const rows = visible.slice(0, -1).reduce((product, length) => product * length, 1);
  const at = visible.slice(0, -1).map(() => 0);
  let text = '['.repeat(rank);
  for (let row = 0; row < rows; row++) {
    if (row > 0) {
      const closed = advance(at, visible);
      text += `${']'.repeat(closed)},${'['.repeat(closed)}`;
    }
    const end = (row + 1) * rowLength;
    for (let from = row * rowLength; from < end; from += SEGMENT) {
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
  }
  yield text + ']'.repeat(rank);
}

/** Moves to the next row; returns how many lists end with the row before. */
function advance(at: number[], shape: readonly number[]): number {
  let closed = 1;
  for (let d = at.length - 1; d >= 0; d--) {
    const next = (at[d] ?? 0) + 1;
    if (next < (shape[d] ?? 0)) {
      at[d] = next;
      return closed;
    }
    at[d] = 0;
    closed++;
  }
  return closed;
}
