/** Encodes the selections of a dataset for ids: the remaining positions of each restricted dimension. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CutDataset } from '../../dataset/cut-dataset.js';
import type { NamedDim } from '../../dataset/labels/label-selection.js';
import { dimSelectionOf } from '../../dataset/positions.js';
import { NotFoundError, parseJsonText, type ResolvedDim } from '../../zarr/index.js';
import { dimForm } from '../../analysis/operations/select.js';

const cutsForm = z.array(z.tuple([z.string(), dimForm]));

/** Prefixes the digest of cuts that are too long to be written out. */
const DIGEST = 'sha256-';

const exactTexts = new WeakMap<CutDataset, string>();
const digests = new WeakMap<CutDataset, string>();

/**
 * Equal for equal cuts, and empty for none. Cuts beyond `maxLength` characters become a digest: they stay distinct, but
 * `parseCuts` cannot restore them.
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
 * @param charge called with an upper bound of the listed positions before any is parsed
 * @throws NotFoundError for text that `printCuts` did not write, and for a digest; and errors of `charge`
 */
export function parseCuts(text: string, charge: (positions: number) => void): NamedDim[] {
  if (text === '') return [];
  if (text.startsWith(DIGEST))
    throw new NotFoundError('the selection lists too many positions to be looked up by id; select it again');
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

/** By name, so that the id does not depend on the order of selections. */
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
