/**
 * Patterns for paths: one star within a name, two across slashes, two and a slash for any number of folders; all else
 * stands for itself. Matched by following all possible places at once, so that no pattern is slow: the time is the
 * length of the pattern times that of the path.
 */
import { InputError } from '../zarr/index.js';

const MAX_PATTERN = 1000;

/**
 * One place in the pattern. `folders` may be passed over; else it leads to `inside`, which goes on up to any slash.
 */
type Token =
  { readonly kind: 'char'; readonly char: string } | { readonly kind: 'name' | 'any' | 'folders' | 'inside' };

/** Tells whether a path matches. The path is relative, without its first slash; the root's is empty. */
export type PathPattern = (path: string) => boolean;

/** @throws InputError for a pattern that is too long */
export function parsePathPattern(pattern: string): PathPattern {
  if (pattern.length > MAX_PATTERN)
    throw new InputError(`the pattern has ${pattern.length} characters; at most ${MAX_PATTERN} are allowed`);
  const tokens = parseTokens(pattern.startsWith('/') ? pattern.slice(1) : pattern);
  return (path) => (path === '' ? matchesRoot(tokens) : matches(tokens, path));
}

function parseTokens(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] ?? '';
    if (char !== '*') tokens.push({ kind: 'char', char });
    else if (pattern[i + 1] !== '*') tokens.push({ kind: 'name' });
    else {
      const startsName = i === 0 || pattern[i - 1] === '/';
      while (pattern[i + 1] === '*') i++;
      if (startsName && pattern[i + 1] === '/') {
        tokens.push({ kind: 'folders' }, { kind: 'inside' });
        i++;
      } else tokens.push({ kind: 'any' });
    }
  }
  return tokens;
}

/** One star stands for a name, and the root has none. */
function matchesRoot(tokens: readonly Token[]): boolean {
  return tokens.every((token) => token.kind === 'any');
}

/** `alive[t]` is 1 where the path so far may have come to token t. */
function matches(tokens: readonly Token[], path: string): boolean {
  let alive = new Uint8Array(tokens.length + 1);
  alive[0] = 1;
  skip(tokens, alive);
  for (let i = 0; i < path.length; i++) {
    const next = new Uint8Array(tokens.length + 1);
    for (const [t, token] of tokens.entries()) if (alive[t] === 1) step(token, t, path[i] ?? '', next);
    skip(tokens, next);
    alive = next;
  }
  return alive[tokens.length] === 1;
}

function step(token: Token, t: number, char: string, next: Uint8Array): void {
  switch (token.kind) {
    case 'char':
      if (token.char === char) next[t + 1] = 1;
      return;
    case 'name':
      if (char !== '/') next[t] = 1;
      return;
    case 'any':
      next[t] = 1;
      return;
    case 'folders':
      next[char === '/' ? t + 2 : t + 1] = 1;
      return;
    case 'inside':
      next[t] = 1;
      if (char === '/') next[t + 1] = 1;
  }
}

/** What may stand for nothing is passed over. */
function skip(tokens: readonly Token[], alive: Uint8Array): void {
  for (const [t, token] of tokens.entries()) {
    if (alive[t] !== 1) continue;
    if (token.kind === 'name' || token.kind === 'any') alive[t + 1] = 1;
    if (token.kind === 'folders') alive[t + 2] = 1;
  }
}
