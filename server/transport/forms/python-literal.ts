/** Python literals in the form of `repr`, as in the headers of NumPy's files. */

/**
 * Characters that Python does not consider printable: controls, formats, surrogates, unassigned, and all
 * spaces except U+0020.
 */
const unprintable = /[\p{C}\p{Z}]/u;

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** In single quotes, unless the text contains single but no double quotes. */
export function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let literal = quote;
  for (const character of text)
    literal += character === quote ? `\\${character}` : (escapes[character] ?? characterText(character));
  return literal + quote;
}

function characterText(character: string): string {
  if (character === ' ' || !unprintable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/** `()`, `(3,)`, `(3, 4)` */
export function pythonTuple(items: readonly (number | string)[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
}
