/** `/a` and `b/c` are `/a/b/c`; a path from the root may leave out its first slash. */
export function joinPath(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
