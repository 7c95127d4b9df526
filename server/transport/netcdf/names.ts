/**
 * Creates a function that returns names which NetCDF allows (letters, digits, `_`, `.`, `-` and others, but no slash, and
 * not at the start), each different from those of other keys of its kind: the part of the key before the first space.
 */
export function ncName(): (key: string, name: string) => string {
  const known = new Map<string, string>();
  const used = new Set<string>();
  return (key, name) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const [kind = ''] = key.split(' ');
    // eslint-disable-next-line no-control-regex -- replaces control characters on purpose
    const base = name.normalize('NFC').replaceAll(/[\u0000-\u001f\u007f/]/g, '_').replace(/^[^\p{L}\p{N}_]/u, '_').trimEnd().slice(0, 200) || '_'; // prettier-ignore
    let free = base;
    for (let n = 2; used.has(`${kind} ${free}`); n++) free = `${base}_${n}`;
    used.add(`${kind} ${free}`);
    known.set(key, free);
    return free;
  };
}
