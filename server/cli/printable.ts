/**
 * Text for a terminal: names, values and messages come from stores and gateways, and nothing in them may steer it. Control
 * characters (C1 too), format characters such as bidirectional overrides, and separators of lines are written as escapes.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
