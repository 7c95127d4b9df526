/** The labels of a slice as text, for files that show them instead of positions. */
import { isZarrError, type KnownValues, type LazySlice } from '../../zarr/index.js';
import { coordinatesOfSlice } from '../slice-coordinates.js';
import { type LabelsAlong, labelsAlong, type LabelScope } from './labels-along.js';

/** The text of the label at a position. */
export type LabelText = (i: number) => string;

export interface NamedTexts {
  readonly name: string;
  readonly at: LabelText;
}

export interface LabelTexts {
  /** One function per dimension; undefined without a coordinate. */
  readonly texts: readonly (LabelText | undefined)[];
  /** For each dimension without one, its coordinates that operations created, such as the places of points. */
  readonly beside: readonly (readonly NamedTexts[])[];
  /** The values that were read. */
  readonly known: readonly KnownValues[];
}

/** Maximum number of texts of a dimension that are kept, because columns repeat them. */
const MAX_TEXTS = 65_536;

/** @throws errors from reading a coordinate */
export async function labelTexts(slice: LazySlice, scope: LabelScope): Promise<LabelTexts> {
  const known: KnownValues[] = [];
  const texts: (LabelText | undefined)[] = [];
  const beside: NamedTexts[][] = [];
  for (const d of slice.dims.keys()) {
    const labels = await labelsOrNone(slice, d, scope);
    const others: NamedTexts[] = [];
    if (labels === undefined)
      for (const { name, axes } of coordinatesOfSlice(slice, undefined))
        if (axes.length === 1 && axes[0] === d) {
          const own = await labelsAlong(slice, d, name, scope, 'inAnyOrder');
          known.push(...own.known);
          others.push({ name, at: textsOf(own) });
        }
    known.push(...(labels?.known ?? []));
    texts.push(labels === undefined ? undefined : textsOf(labels));
    beside.push(others);
  }
  return { texts, beside, known };
}

function textsOf({ keys }: LabelsAlong): LabelText {
  const textAt = (i: number): string => (keys.at(i) === undefined ? '' : plain(keys.show(i)));
  const kept: string[] = [];
  return keys.size > MAX_TEXTS ? textAt : (i) => (kept[i] ??= textAt(i));
}

async function labelsOrNone(
  slice: LazySlice,
  d: number,
  scope: LabelScope,
): Promise<LabelsAlong | undefined> {
  try {
    return await labelsAlong(slice, d, undefined, scope, 'inAnyOrder');
  } catch (error) {
    // The dimension has no coordinate; its values are identified by position.
    if (isZarrError(error, 'BAD_SELECTION')) return undefined;
    throw error;
  }
}

/** Converts a displayed label to plain text. Text and dates are displayed as JSON, in quotes. */
function plain(shown: string): string {
  return shown.startsWith('"') ? String(JSON.parse(shown)) : shown;
}
