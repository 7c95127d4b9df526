/** Finds the insertion position of a literal in a line of a query. */

export interface Insertion {
  /** Columns to replace, counted from 0. Both are equal if nothing is replaced. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Replaces the string or number at the cursor; elsewhere inserts. Therefore a label is never nested in
 * another one.
 */
export function insertionAt(line: string, column: number, text: string): Insertion {
  for (const { start, end } of literalsOf(line))
    if (column >= start && column <= end) return { start, end, text };
  return { start: column, end: column, text };
}

/** Strings and numbers of a line. An unfinished string ends with the line. */
function literalsOf(line: string): readonly { readonly start: number; readonly end: number }[] {
  return [...line.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|(?<![\w.])-?\d[\w.+-]*/g)].map(
    ({ index, 0: literal }) => ({
      start: index,
      end: index + literal.length,
    }),
  );
}
