/**
 * Parses NumPy's basic indexing notation: "0, 10:20, ..., ::-1". Lists and new axes are not supported:
 * lists have separate forms (`indices`, `points`), and accepted text must have its NumPy meaning.
 */
import { SelectionError } from '../errors.js';
import type { DimSelection, Selection } from './selection.js';

const MAX_TEXT = 4096;
const integerPattern = /^[+-]?\d+$/;

/** @throws SelectionError that quotes the invalid part */
export function parseSelection(text: string): Selection {
  if (text.length > MAX_TEXT)
    throw new SelectionError(
      `the selection text has ${text.length} characters; at most ${MAX_TEXT} are allowed`,
    );
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'all' };
  const parts = trimmed.split(',').map((part) => part.trim());
  // NumPy allows a trailing comma, as in a[0,].
  if (parts.length > 1 && parts[parts.length - 1] === '') parts.pop();
  const dims = parts.map((part) => parsePart(part, text));
  if (dims.filter((dim) => dim.kind === 'ellipsis').length > 1)
    throw new SelectionError(`selection "${text}": more than one "..."; use it once`);
  return { kind: 'dims', dims };
}

function parsePart(part: string, whole: string): DimSelection | { readonly kind: 'ellipsis' } {
  if (part === '...') return { kind: 'ellipsis' };
  if (integerPattern.test(part)) return { kind: 'index', index: boundOf(part) };
  const pieces = part.split(':').map((piece) => piece.trim());
  const wellFormed = pieces.length === 2 || pieces.length === 3;
  if (!wellFormed || pieces.some((piece) => piece !== '' && !integerPattern.test(piece)))
    throw new SelectionError(
      `selection "${whole}": cannot parse "${part}"; write an index ("3", "-1"), a slice ("10:20", "::2") or "..." for each dimension`,
    );
  const [start = '', stop = '', step = ''] = pieces;
  if (step !== '' && boundOf(step) === 0)
    throw new SelectionError(
      `selection "${whole}": the step in "${part}" must not be zero; use 1, -1, 2, ...`,
    );
  return {
    kind: 'slice',
    ...(start === '' ? {} : { start: boundOf(start) }),
    ...(stop === '' ? {} : { stop: boundOf(stop) }),
    ...(step === '' ? {} : { step: boundOf(step) }),
  };
}

/** No array has elements beyond 2^53. Larger bounds are clipped, and larger indices are out of range. */
function boundOf(text: string): number {
  const value = Number(text);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
}
