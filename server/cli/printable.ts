/**
 * Escapes text for a terminal: control characters (including C1), format characters such as bidirectional
 * overrides, and line separators. Names, values and messages from stores and gateways are untrusted.
 */
import { defined } from '../../wire/guards.js';

export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

/** Like `printable`, but keeps line breaks. */
export function printableLines(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

/** Escapes the same characters in the text of a JSON document, where they occur only in strings, and keeps line breaks. */
export function printableJson(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

function escaped(character: string): string {
  return `\\u{${defined(character.codePointAt(0)).toString(16)}}`;
}
