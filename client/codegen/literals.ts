/** Escapes untrusted text for source code, so that it cannot end its literal or comment. */

export function stringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replace(invisible, escapeOf)}'`;
}

/** The name of an interface property, quoted if necessary. */
export function propertyName(text: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text) ? text : stringLiteral(text);
}

/** Separators, and format characters that display code in a different order (CVE-2021-42574). */
const invisible = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeOf(character: string): string {
  return Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

const MAX_COMMENT = 160;

/** Text on one line that does not end the comment. */
export function commentText(text: string): string {
  const line = text
    .slice(0, 4 * MAX_COMMENT)
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('*/', '* /')
    .trim();
  return line.length > MAX_COMMENT ? `${line.slice(0, MAX_COMMENT)}...` : line;
}
