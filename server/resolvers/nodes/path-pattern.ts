/**
 * Glob patterns for paths: one star matches within a name, two stars match across slashes, two stars and a
 * slash match any number of folders; all other characters match themselves. Matching simulates all states of
 * the pattern at once, so its time is bounded by the product of the lengths of pattern and path.
 */
import { InputError } from '../../zarr/index.js';

const MAX_PATTERN = 1000;

/**
 * One state of the pattern. The state `folders` may be skipped; otherwise it is followed by `inside`, which
 * matches up to any slash.
 */
type Token =
  { readonly kind: 'char'; readonly char: string } | { readonly kind: 'name' | 'any' | 'folders' | 'inside' };

/** Matches paths without their leading slash; the root's path is empty. */
export type PathPattern = ReturnType<typeof parsePathPattern>;

/** @throws InputError for a pattern that is too long */
export function parsePathPattern(pattern: string) {
  if (pattern.length > MAX_PATTERN)
    throw new InputError(`the pattern has ${pattern.length} characters; at most ${MAX_PATTERN} are allowed`);
  const relative = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const tokens = parseTokens(relative);
  const star = relative.indexOf('*');
  const literal = star === -1 ? relative : relative.slice(0, star);
  return {
    matches: (path: string): boolean => (path === '' ? matchesRoot(tokens) : statesAfter(tokens, path).isEnd),
    /** Whether a path below this one could match. */
    matchesBelow: (path: string): boolean => path === '' || statesAfter(tokens, `${path}/`).goesOn,
    /** The leading folder names of every matching path. */
    folders: literal.split('/').slice(0, -1),
  };
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
        // Consecutive folder wildcards are equivalent to one.
        if (tokens.at(-1)?.kind !== 'inside') tokens.push({ kind: 'folders' }, { kind: 'inside' });
        i++;
      } else tokens.push({ kind: 'any' });
    }
  }
  return tokens;
}

/** Whether a pattern matches the root. `*` matches one name, and the root has none. */
function matchesRoot(tokens: readonly Token[]): boolean {
  return tokens.every((token) => token.kind === 'any');
}

/**
 * Simulates the pattern on a path.
 * @returns whether the whole pattern matches, and whether a longer path could
 */
function statesAfter(
  tokens: readonly Token[],
  path: string,
): { readonly isEnd: boolean; readonly goesOn: boolean } {
  let alive: number[] = [];
  let next: number[] = [];
  /** For each state: number of characters of the path consumed when the state was last reached. */
  const reachedAt = new Int32Array(tokens.length + 1).fill(-1);

  function reach(state: number, length: number): void {
    if (reachedAt[state] === length) return;
    reachedAt[state] = length;
    next.push(state);
    // States that match the empty text can be skipped.
    const kind = tokens[state]?.kind;
    if (kind === 'name' || kind === 'any') reach(state + 1, length);
    else if (kind === 'folders') reach(state + 2, length);
  }

  reach(0, 0);
  for (let length = 1; length <= path.length; length++) {
    [alive, next] = [next, alive];
    next.length = 0;
    const char = path.charAt(length - 1);
    for (const state of alive) {
      const token = tokens[state];
      if (token !== undefined) step(token, state, char, (to) => reach(to, length));
    }
  }
  return {
    isEnd: reachedAt[tokens.length] === path.length,
    goesOn: next.some((state) => state < tokens.length),
  };
}

function step(token: Token, state: number, char: string, reach: (state: number) => void): void {
  switch (token.kind) {
    case 'char':
      if (token.char === char) reach(state + 1);
      return;
    case 'name':
      if (char !== '/') reach(state);
      return;
    case 'any':
      reach(state);
      return;
    case 'folders':
      reach(char === '/' ? state + 2 : state + 1);
      return;
    case 'inside':
      reach(state);
      if (char === '/') reach(state + 1);
  }
}
