/** @returns the requested names in their canonical order; @throws Error for an unknown name */
export function chosen(option, known, asked, otherwise = known) {
  if (asked === undefined) return otherwise;
  const wrong = asked.filter((name) => !known.includes(name));
  if (wrong.length > 0)
    throw new Error(`--${option}: unknown ${wrong.join(', ')}; expected one of ${known.join(', ')}`);
  return known.filter((name) => asked.includes(name));
}
