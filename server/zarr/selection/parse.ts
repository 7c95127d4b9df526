/**
 * Parses NumPy's basic indexing notation, by position ("0, 10:20, ..., ::-1") or by dimension name
 * ("time=0, lat=10:20"). Lists and new axes are not supported: lists have separate forms (`indices`, `points`), and
 * accepted text must have its NumPy meaning.
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
  if (parts.some((part) => part.includes('='))) return { kind: 'named', named: parts.map((part) => parseNamed(part, text)) }; // prettier-ignore
  const dims = parts.map((part) => parsePart(part, text));
  if (dims.filter((dim) => dim.kind === 'ellipsis').length > 1)
    throw new SelectionError(`selection "${text}": more than one "..."; use it once`);
  return { kind: 'dims', dims };
}

/** A name may contain "=": what follows the last one never does. */
function parseNamed(part: string, whole: string): { readonly dim: string; readonly by: DimSelection } {
  const at = part.lastIndexOf('=');
  const dim = part.slice(0, Math.max(0, at)).trim();
  const by = at < 0 ? undefined : parsePart(part.slice(at + 1).trim(), whole);
  if (dim === '' || by === undefined || by.kind === 'ellipsis')
    throw new SelectionError(
      `selection "${whole}": expected NAME=INDEX or NAME=START:STOP in each part, got "${part}"`,
    );
  return { dim, by };
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
