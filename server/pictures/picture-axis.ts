/** The axes of a picture: coordinates at its edges, their direction, and the size of the picture. */
import { defined } from '../../wire/guards.js';
import type { OperationScope } from '../analysis/operations/operation.js';
import { textAttribute } from '../dataset/attributes.js';
import { indexAlong, type SliceCoordinate } from '../dataset/slice-coordinates.js';
import type { Dataset } from '../dataset/variable.js';
import {
  type Block,
  elementAt,
  formatDatetimes,
  isZarrError,
  type LazySlice,
  toTypedArray,
  type CoarsenRequest,
  InputError,
  SelectionError,
} from '../zarr/index.js';

export interface PictureScope extends OperationScope {
  /** Reads a few values of a coordinate. */
  read(slice: LazySlice): Promise<Block>;
}

export interface PictureAxis {
  readonly name: string | null;
  /** Labels of the first and the last value along the dimension, as JSON; null without a coordinate. */
  readonly first: unknown;
  readonly last: unknown;
  /** Whether the coordinate increases along the dimension; undefined if unknown. */
  readonly isAscending: boolean | undefined;
  /** Whether the coordinate increases downwards: depths and pressures. */
  readonly isDownward: boolean;
}

/**
 * @param d position of the dimension
 * @throws errors from reading the coordinate
 */
export async function axisAlong(slice: LazySlice, d: number, scope: PictureScope): Promise<PictureAxis> {
  const name = slice.dims[d]?.name ?? null;
  const none = { name, first: null, last: null, isAscending: undefined, isDownward: false };
  const coordinate = await coordinateOf(slice, d, scope);
  const labels = await coordinate?.labels(scope.coordinates);
  if (coordinate === undefined || labels === undefined) return none;
  const { stored, decoding } = labels;
  if (stored.shape.length !== 1 || stored.shape[0] !== slice.shape[d]) return none;
  const ends = await scope.read(
    stored.select({ kind: 'dims', dims: [{ kind: 'indices', indices: [0, -1] }] }),
  );
  const decoded = decoding.decode(ends);
  const [first, last] = [jsonAt(decoded, 0), jsonAt(decoded, 1)];
  // Dates as text are compared as ticks.
  const compared = decoding.times === undefined ? toTypedArray(decoded) : decoding.times.ticks(ends);
  return { name, first, last, isAscending: isAscending(compared), isDownward: isDownward(coordinate) };
}

async function coordinateOf(
  slice: LazySlice,
  d: number,
  scope: OperationScope,
): Promise<SliceCoordinate | undefined> {
  let isOpen = true;
  const open = async (): Promise<Dataset | undefined> => {
    isOpen = false;
    const dataset = await scope.dataset();
    isOpen = true;
    return dataset;
  };
  try {
    return await indexAlong(slice, d, open);
  } catch (error) {
    // A picture does not require a valid coordinate, but a dataset that cannot be opened may have one.
    if (isOpen && isZarrError(error)) return undefined;
    throw error;
  }
}

function isAscending(ends: ReturnType<typeof toTypedArray>): boolean | undefined {
  if (!ArrayBuffer.isView(ends)) return undefined;
  const [first, last] = ends;
  if (first === undefined || last === undefined) return undefined;
  if (first < last) return true;
  return first > last ? false : undefined;
}

const pressureUnits = /^(?:[hk]?Pa|(?:milli|hecto|kilo)?pascals?|m?bars?|mb|millibars?|decibars?|dbar|atm)$/i;

/**
 * Whether a coordinate increases downwards, according to the attribute `positive` and to units of pressure
 * (CF, section 4.3).
 */
function isDownward({ meaning }: SliceCoordinate): boolean {
  const positive = textAttribute(meaning, 'positive');
  if (positive !== undefined) return positive.toLowerCase() === 'down';
  return pressureUnits.test((textAttribute(meaning, 'units') ?? '').trim());
}

function jsonAt(block: Block, index: number): unknown {
  if (block.dtype.name === 'numpy.datetime64') {
    const data = toTypedArray(block);
    return data instanceof BigInt64Array ? (formatDatetimes(data, block.dtype)[index] ?? null) : null;
  }
  const value = elementAt(block, index);
  return ['number', 'bigint', 'string', 'boolean'].includes(typeof value) ? value : null;
}

/**
 * Whether the axis is drawn in reverse order. The largest coordinate is at the top (the smallest for depths
 * and pressures) and at the right. Without a coordinate, the first row is at the top.
 */
export function isFlipped({ isAscending, isDownward }: PictureAxis, of: 'rows' | 'columns'): boolean {
  if (isAscending === undefined) return false;
  return of === 'rows' ? isAscending !== isDownward : !isAscending;
}

// Computes the size of a picture and the required coarsening.

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

export interface RequestedSize {
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
