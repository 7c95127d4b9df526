/** The labels of a decoded slice's dimensions, as text. */
import { createCoordinateCache, createCoordinateReader } from '../dataset/coordinate-reader.js';
import { labelsAlong } from '../dataset/labels/labels-along.js';
import { isZarrError, type LazySlice } from '../zarr/index.js';
import type { OpenedSlice } from './array-slice.js';

/**
 * @returns one function per dimension, from a position to the text of its label; undefined without a
 * coordinate
 * @throws errors from reading a coordinate
 */
export async function labelTexts({
  slice,
  dataset,
}: OpenedSlice): Promise<(((i: number) => string) | undefined)[]> {
  if (dataset === undefined) return slice.dims.map(() => undefined);
  const coordinates = createCoordinateReader(createCoordinateCache(), (coordinate) => coordinate.read());
  const scope = { dataset: async () => dataset, coordinates };
  return Promise.all(slice.dims.map((_, d) => textsAlong(slice, d, scope)));
}

async function textsAlong(
  slice: LazySlice,
  d: number,
  scope: Parameters<typeof labelsAlong>[3],
): Promise<((i: number) => string) | undefined> {
  try {
    const { keys } = await labelsAlong(slice, d, undefined, scope);
    const texts: string[] = [];
    return (i) => (texts[i] ??= keys.at(i) === undefined ? '' : plain(keys.show(i)));
  } catch (error) {
    // The dimension has no coordinate; its values are identified by position.
    if (isZarrError(error, 'BAD_SELECTION')) return undefined;
    throw error;
  }
}

/** Text and dates are shown as JSON. */
function plain(shown: string): string {
  return shown.startsWith('"') ? String(JSON.parse(shown)) : shown;
}
