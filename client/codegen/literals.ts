/** Text of others in source code: nothing in it can end the literal or comment that it stands in. */

export function stringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** As a property of an interface: quoted where it is no plain name. */
export function propertyName(text: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text) ? text : stringLiteral(text);
}

const maxComment = 160;

/** On one line, and not the end of the comment. */
export function commentText(text: string): string {
  const line = text
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('*/', '* /')
    .trim();
  return line.length > maxComment ? `${line.slice(0, maxComment)}...` : line;
}
