/**
 * Patterns for paths: one star within a name, two across slashes, two and a slash for any number of folders; all else
 * stands for itself. Matched by following all possible places at once, so that no pattern is slow: the time is the
 * length of the pattern times that of the path.
 */
import { InputError } from '../../zarr/index.js';

const MAX_PATTERN = 1000;

/**
 * One place in the pattern. `folders` may be passed over; else it leads to `inside`, which goes on up to any slash.
 */
type Token =
  { readonly kind: 'char'; readonly char: string } | { readonly kind: 'name' | 'any' | 'folders' | 'inside' };

/** Its paths are relative, without their first slash; the root's is empty. */
export interface PathPattern {
  matches(path: string): boolean;
  /** Whether any path below this one matches. */
  matchesBelow(path: string): boolean;
  /** The names that every matching path begins with, the last of them a folder. */
  readonly folders: readonly string[];
}

/** @throws InputError for a pattern that is too long */
export function parsePathPattern(pattern: string): PathPattern {
  if (pattern.length > MAX_PATTERN)
    throw new InputError(`the pattern has ${pattern.length} characters; at most ${MAX_PATTERN} are allowed`);
  const relative = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const tokens = parseTokens(relative);
  const star = relative.indexOf('*');
  const literal = star === -1 ? relative : relative.slice(0, star);
  return {
    matches: (path) => (path === '' ? matchesRoot(tokens) : placesAfter(tokens, path).isEnd),
    matchesBelow: (path) => path === '' || placesAfter(tokens, `${path}/`).goesOn,
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
        // Any number of folders, and then any number, are any number.
        if (tokens.at(-1)?.kind !== 'inside') tokens.push({ kind: 'folders' }, { kind: 'inside' });
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

/** Follows the path by the places in the pattern that it may have come to: whether its end is one, and any other is. */
function placesAfter(
  tokens: readonly Token[],
  path: string,
): { readonly isEnd: boolean; readonly goesOn: boolean } {
  let alive: number[] = [];
  let next: number[] = [];
  /** How much of the path there was when a place was last come to. */
  const reachedAt = new Int32Array(tokens.length + 1).fill(-1);

  function reach(place: number, length: number): void {
    if (reachedAt[place] === length) return;
    reachedAt[place] = length;
    next.push(place);
    // What may stand for nothing is passed over, too.
    const kind = tokens[place]?.kind;
    if (kind === 'name' || kind === 'any') reach(place + 1, length);
    else if (kind === 'folders') reach(place + 2, length);
  }

  reach(0, 0);
  for (let length = 1; length <= path.length; length++) {
    [alive, next] = [next, alive];
    next.length = 0;
    const char = path.charAt(length - 1);
    for (const place of alive) {
      const token = tokens[place];
      if (token !== undefined) step(token, place, char, (to) => reach(to, length));
    }
  }
  return {
    isEnd: reachedAt[tokens.length] === path.length,
    goesOn: next.some((place) => place < tokens.length),
  };
}

function step(token: Token, place: number, char: string, reach: (place: number) => void): void {
  switch (token.kind) {
    case 'char':
      if (token.char === char) reach(place + 1);
      return;
    case 'name':
      if (char !== '/') reach(place);
      return;
    case 'any':
      reach(place);
      return;
    case 'folders':
      reach(char === '/' ? place + 2 : place + 1);
      return;
    case 'inside':
      reach(place);
      if (char === '/') reach(place + 1);
  }
}
