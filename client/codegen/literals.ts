/** Text of others in source code: nothing in it can end the literal or comment that it stands in. */

export function stringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replace(invisible, escapeOf)}'`;
}

/** As a property of an interface: quoted where it is no plain name. */
export function propertyName(text: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text) ? text : stringLiteral(text);
}

/** Separators, and format characters that show code in another order than it is compiled (CVE-2021-42574). */
const invisible = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeOf(character: string): string {
  return Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

const maxComment = 160;

/** On one line, and not the end of the comment. */
export function commentText(text: string): string {
  const line = text
    .slice(0, 4 * maxComment)
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('*/', '* /')
    .trim();
  return line.length > maxComment ? `${line.slice(0, maxComment)}...` : line;
}
