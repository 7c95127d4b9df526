/** Computes the size of a picture and the required coarsening. */
import { defined } from '../../wire/guards.js';
import { type CoarsenRequest, InputError, type LazySlice, SelectionError } from '../zarr/index.js';

export interface PictureLayout {
  /** Size of the picture in pixels. */
  readonly width: number;
  readonly height: number;
  /** Positions of the row and column dimensions in the slice. */
  readonly rowAxis: number;
  readonly columnAxis: number;
  /** The dimension of the colour channels (RGB or RGBA). */
  readonly channelAxis: number | undefined;
  /** The coarsening for a smaller picture; undefined if each value is drawn. */
  readonly coarsen: Pick<CoarsenRequest, 'to'> | undefined;
}

interface RequestedSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Maximum number of pixels along each side. */
export const MAX_SIDE = 4096;

/** Default maximum number of pixels along each side. */
const DEFAULT_SIDE = 1024;

/** Dimension names that identify the channels of an image. */
const channelNames = /^(?:c|channels?|bands?|rgba?|colou?rs?|samples?)$/i;

/**
 * A picture smaller than the data has one pixel per block, so it has at most the requested size. A larger
 * picture has exactly the requested size. If only one side is requested, the other follows from the shape.
 * @throws SelectionError for slices that cannot be drawn; InputError for a size outside 1 to 4096
 */
export function layOutPicture(
  { dims, shape }: Pick<LazySlice, 'dims' | 'shape'>,
  { width, height }: RequestedSize,
): PictureLayout {
  checkSide('width', width);
  checkSide('height', height);
  const channelAxis = channelAxisOf(dims);
  const [rowAxis, columnAxis, ...others] = shape.map((_, d) => d).filter((d) => d !== channelAxis);
  if (rowAxis === undefined || columnAxis === undefined || others.length > 0)
    throw new SelectionError(
      'a picture requires two dimensions, and optionally a third one with the 3 or 4 elements of RGB or RGBA; ' +
        `the slice has the shape [${shape.join(', ')}]; select an index along any other dimension`,
    );
  const [rows, columns] = [defined(shape[rowAxis]), defined(shape[columnAxis])];
  if (rows === 0 || columns === 0) throw new SelectionError('the slice has no values to draw');
  const size = sizeOf(rows, columns, width, height);
  const to = [
    ...(size.height < rows ? [{ dim: String(rowAxis), size: size.height }] : []),
    ...(size.width < columns ? [{ dim: String(columnAxis), size: size.width }] : []),
  ];
  return { ...size, rowAxis, columnAxis, channelAxis, coarsen: to.length === 0 ? undefined : { to } };
}

function checkSide(name: string, pixels: number | undefined): void {
  if (pixels !== undefined && !(Number.isSafeInteger(pixels) && pixels >= 1 && pixels <= MAX_SIDE))
    throw new InputError(`the ${name} is ${pixels}; expected an integer from 1 to ${MAX_SIDE}`);
}

/**
 * The dimension of the colour channels, of size 3 or 4: one with the name of a channel, else the last
 * dimension, else the first.
 */
function channelAxisOf(dims: LazySlice['dims']): number | undefined {
  if (dims.length !== 3) return undefined;
  const fits = [2, 0, 1].filter((d) => [3, 4].includes(dims[d]?.size ?? 0));
  const isNamed = (d: number): boolean => channelNames.test(dims[d]?.name ?? '');
  return fits.find(isNamed) ?? fits.find((d) => d !== 1);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf(rows: number, columns: number, width: number | undefined, height: number | undefined): Size {
  if (width !== undefined && height !== undefined)
    return { width: pixelsOf(columns, width), height: pixelsOf(rows, height) };
  if (width === undefined && height === undefined)
    return inBlocks(
      rows,
      columns,
      Math.max(Math.ceil(rows / DEFAULT_SIDE), Math.ceil(columns / DEFAULT_SIDE)),
    );
  const [requested, along, across] =
    width === undefined ? [height ?? 1, rows, columns] : [width, columns, rows];
  if (requested <= along)
    return inBlocks(rows, columns, Math.max(Math.ceil(along / requested), Math.ceil(across / MAX_SIDE)));
  const other = Math.max(1, Math.round((across * requested) / along));
  if (other > MAX_SIDE)
    throw new InputError(
      `the other side would have ${other} pixels; at most ${MAX_SIDE} are allowed; set both "width" and "height"`,
    );
  return width === undefined ? { width: other, height: requested } : { width: requested, height: other };
}

/** The size of a picture with one pixel for each block of `factor` by `factor` values. */
function inBlocks(rows: number, columns: number, factor: number): Size {
  return { width: Math.ceil(columns / factor), height: Math.ceil(rows / factor) };
}

function pixelsOf(length: number, pixels: number): number {
  return pixels > length ? pixels : Math.ceil(length / Math.ceil(length / pixels));
}
