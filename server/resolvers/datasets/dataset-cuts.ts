/** Encodes the selections of a dataset for ids: the selected positions of each dimension with a selection. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { dimForm } from '../../analysis/operations/select.js';
import type { CutDataset } from '../../dataset/cut-dataset.js';
import type { NamedDim } from '../../dataset/labels/label-selection.js';
import { dimSelectionOf, printAlong } from '../../dataset/positions.js';
import { NotFoundError, parseJsonText, type ResolvedDim } from '../../zarr/index.js';

const cutsForm = z.array(z.tuple([z.string(), dimForm]));

/** Prefix of a digest, which represents cuts that are too long for an id. */
const DIGEST = 'sha256-';

/** The forms of cuts, once they are known. */
interface CutTexts {
  exact?: string;
  digest?: string;
}

const texts = new WeakMap<CutDataset, CutTexts>();

function textsOf(cut: CutDataset): CutTexts {
  const known = texts.get(cut) ?? {};
  texts.set(cut, known);
  return known;
}

/**
 * Converts cuts to text. Equal cuts have equal texts; the text of no cuts is empty. Cuts of more than
 * `maxLength` characters become a digest, which is distinct but cannot be parsed by `parseCuts`.
 */
export function printCuts(cut: CutDataset, maxLength: number): string {
  if (cut.cuts.size === 0) return '';
  // Each position has at least two characters.
  if (2 * listedPositions(cut) > maxLength) return digestOf(cut);
  const known = textsOf(cut);
  const text = (known.exact ??= printed(cut));
  return text.length > maxLength ? digestOf(cut) : text;
}

/**
 * @param charge called with an upper bound of the listed positions before they are parsed
 * @throws NotFoundError for text that `printCuts` did not write, and for a digest; errors from `charge`
 */
export function parseCuts(text: string, charge: (positions: number) => void): NamedDim[] {
  if (text === '') return [];
  if (text.startsWith(DIGEST))
    throw new NotFoundError(
      'the selection lists too many positions to be encoded in an id; query the dataset by path and select again',
    );
  charge(1 + text.split(',').length);
  const parsed = cutsForm.safeParse(jsonOf(text));
  if (!parsed.success) throw unknownId(parsed.error);
  return parsed.data.map(([dim, by]) => ({ dim, by }));
}

export function unknownId(cause?: unknown): NotFoundError {
  return new NotFoundError('the id was not issued by this gateway', { cause });
}

function jsonOf(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    throw unknownId(error);
  }
}

function listedPositions({ cuts }: CutDataset): number {
  let positions = 0;
  for (const along of cuts.values()) if (along.kind === 'list') positions += along.at.length;
  return positions;
}

function printed(cut: CutDataset): string {
  return `[${inOrder(cut)
    .map(([name, along]) => `[${JSON.stringify(name)},${printAlong(along)}]`)
    .join(',')}]`;
}

/** The cuts sorted by name, so that the id does not depend on the order of selections. */
function inOrder({ cuts }: CutDataset): [string, ResolvedDim][] {
  return [...cuts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function digestOf(cut: CutDataset): string {
  const known = textsOf(cut);
  if (known.digest !== undefined) return known.digest;
  const hash = createHash('sha256');
  for (const [name, along] of inOrder(cut)) {
    const listed = along.kind === 'list' ? along.at : undefined;
    hash.update(JSON.stringify([name, listed?.length ?? dimSelectionOf(along), along.wrap ?? null]));
    if (listed !== undefined) hash.update(listed);
  }
  return (known.digest = DIGEST + hash.digest('base64url'));
}
