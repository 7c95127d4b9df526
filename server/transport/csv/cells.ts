/** Converts values to the text of CSV cells. */

/** The cells of one column. */
export type Column = readonly string[];

/**
 * Quotes a cell if it contains a separator, quote or line break. Empty text is always quoted, to distinguish
 * it from a missing value.
 */
export function quotedCell(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function floatCell(value: number): string {
  return Object.is(value, -0) ? '-0.0' : String(value);
}

export function base64Cell(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Converts items to cells. Missing items become empty cells. */
export function itemCells<T>(items: readonly (T | null)[], textOf: (item: T) => string): Column {
  return items.map((item) => (item === null ? '' : quotedCell(textOf(item))));
}

/** Splits columns with `width` elements per row into that many columns each. */
export function unfold(columns: readonly Column[], width: number): Column[] {
  return Array.from({ length: width }, (_, column) =>
    columns.map((cells) =>
      Array.from({ length: cells.length / width }, (_row, row) => cells[row * width + column] ?? ''),
    ),
  ).flat();
}
