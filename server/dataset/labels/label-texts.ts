/** The labels of a slice as text, for files that show them instead of positions. */
import { isZarrError, type KnownValues, type LazySlice } from '../../zarr/index.js';
import { labelsAlong, type LabelScope } from './labels-along.js';

/** The text of the label at a position. */
export type LabelText = (i: number) => string;

export interface LabelTexts {
  /** One function per dimension; undefined without a coordinate. */
  readonly texts: readonly (LabelText | undefined)[];
  /** The values that were read. */
  readonly known: readonly KnownValues[];
}

/** Maximum number of texts of a dimension that are kept, because columns repeat them. */
const MAX_TEXTS = 65_536;

/** @throws errors from reading a coordinate */
export async function labelTexts(slice: LazySlice, scope: LabelScope): Promise<LabelTexts> {
  const known: KnownValues[] = [];
  const texts: (LabelText | undefined)[] = [];
  for (const d of slice.dims.keys()) {
    const labels = await labelsOrNone(slice, d, scope);
    if (labels === undefined) {
      texts.push(undefined);
      continue;
    }
    known.push(...labels.known);
    const { keys } = labels;
    const textAt = (i: number): string => (keys.at(i) === undefined ? '' : plain(keys.show(i)));
    const kept: string[] = [];
    texts.push(keys.size > MAX_TEXTS ? textAt : (i) => (kept[i] ??= textAt(i)));
  }
  return { texts, known };
}

async function labelsOrNone(
  slice: LazySlice,
  d: number,
  scope: LabelScope,
): Promise<Awaited<ReturnType<typeof labelsAlong>> | undefined> {
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
