/** Encodes the selections of a dataset for ids: the selected positions of each dimension with a selection. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CutDataset } from '../../dataset/cut-dataset.js';
import type { NamedDim } from '../../dataset/labels/label-selection.js';
import { dimSelectionOf } from '../../dataset/positions.js';
import { NotFoundError, parseJsonText, type ResolvedDim } from '../../zarr/index.js';
import { dimForm } from '../../analysis/operations/select.js';

const cutsForm = z.array(z.tuple([z.string(), dimForm]));

/** Prefix of a digest, which represents cuts that are too long for an id. */
const DIGEST = 'sha256-';

const exactTexts = new WeakMap<CutDataset, string>();
const digests = new WeakMap<CutDataset, string>();

/**
 * Equal cuts have equal texts; no cuts have the empty text. Cuts of more than `maxLength` characters become
 * a digest, which is distinct but cannot be parsed by `parseCuts`.
 */
export function printCuts(cut: CutDataset, maxLength: number): string {
  if (cut.cuts.size === 0) return '';
  // Each position has at least two characters.
  if (2 * listedPositions(cut) > maxLength) return digestOf(cut);
  const text = exactTexts.get(cut) ?? JSON.stringify(inOrder(cut).map(([name, along]) => [name, dimSelectionOf(along)])); // prettier-ignore
  exactTexts.set(cut, text);
  return text.length > maxLength ? digestOf(cut) : text;
}

/**
 * @param charge called with an upper bound of the listed positions before they are parsed
 * @throws NotFoundError for text that `printCuts` did not write, and for a digest; errors of `charge`
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

/** Sorted by name, so that the id does not depend on the order of selections. */
function inOrder({ cuts }: CutDataset): [string, ResolvedDim][] {
  return [...cuts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function digestOf(cut: CutDataset): string {
  const known = digests.get(cut);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  for (const [name, along] of inOrder(cut)) {
    const listed = along.kind === 'list' ? along.at : undefined;
    hash.update(JSON.stringify([name, listed?.length ?? dimSelectionOf(along)]));
    if (listed !== undefined) hash.update(listed);
  }
  const text = DIGEST + hash.digest('base64url');
  digests.set(cut, text);
  return text;
}
