/**
 * NetCDF files in the classic formats (NetCDF User Guide, "File Format Specifications"): the 64-bit offset format (CDF-2)
 * if its types suffice, which every reader supports, otherwise the 64-bit data format (CDF-5). Conventions: CF 1.11.
 * No maintained package writes NetCDF in JavaScript, and the classic formats need no library: a header, then the values in
 * big-endian order.
 */
import { defined } from '../../../wire/guards.js';
import { blockPart } from '../block-part.js';
import { dimensionsOf, type LabelledSet, type LabelledVariable, otherCoordinates } from '../labelled-set.js';
import type { ReadParts } from '../forms/form.js';
import { readAll } from '../sets/read-values.js';
import type { SetForm } from '../sets/set-form.js';
import type { BodyPiece } from '../time-sliced-body.js';
import {
  type Block,
  InputError,
  type JsonObject,
  nextTurn,
  sizeOf,
  UnsupportedError,
} from '../../zarr/index.js';
import { printHeader, type NetcdfVariable } from './header.js';
import { ncName } from './names.js';
import {
  type NetcdfType,
  netcdfType,
  storedType,
  textLength,
  timeEncoding,
  type TimeEncoding,
} from './types.js';
import { bigEndian, paddedTexts, timesAs, widenedHalves } from './values.js';

export const netcdfFile = {
  name: 'NETCDF',
  extension: '.nc',
  mediaType: 'application/x-netcdf',
  isText: false,
  description: 'a NetCDF file (classic format, CF conventions) with coordinates and attributes',
  types: 'numbers except complex ones, booleans, dates and durations; text in coordinates',
  open(set, { rows }) {
    if (rows !== undefined) throw new InputError('only tables have rows; request the format ARROW');
    for (const { name, slice } of set.variables) {
      if (slice.dtype.name === 'string')
        throw new UnsupportedError(
          `"${name}" has texts of any length, which NetCDF supports here only in coordinates`,
        );
      storedType(name, slice.dtype);
    }
    for (const { name, slice } of set.coordinates) storedType(name, slice.dtype);
    const dimensions = dimensionsOf(set);
    if (dimensions === undefined) throw new InputError('the variables have dimensions of different sizes');
    return { ownBytes: 8 * 2 ** 20, pieces: (readOf) => filePieces(set, dimensions, readOf) };
  },
} as const satisfies SetForm;

interface PlannedVariable {
  readonly variable: LabelledVariable;
  readonly name: string;
  readonly type: NetcdfType;
  /** Values that are written at once; undefined for variables that are streamed. */
  readonly blocks: readonly Block[] | undefined;
  readonly time: TimeEncoding | undefined;
  /** Length of texts in bytes. */
  readonly characters: number | undefined;
}

async function* filePieces(
  set: LabelledSet,
  dimensions: ReadonlyMap<string, number>,
  readOf: () => ReadParts,
): AsyncGenerator<BodyPiece> {
  const names = ncName();
  const dims = new Map(
    [...dimensions].map(([name, size]) => [name, { name: names(`d ${name}`, name), size }]),
  );
  const planned: PlannedVariable[] = [];
  for (const variable of [...set.coordinates, ...set.variables]) {
    const isCoordinate = set.coordinates.includes(variable);
    const blocks = isCoordinate ? await readAll(readOf(), variable.slice) : undefined;
    const time = await timeEncoding(variable.slice.dtype, blocks);
    const characters =
      blocks === undefined ? undefined : await textLength(variable.name, variable.slice.dtype, blocks);
    const type = netcdfType(storedType(variable.name, variable.slice.dtype), time);
    planned.push({
      variable,
      name: names(`v ${variable.name}`, variable.name),
      type,
      blocks,
      time,
      characters,
    });
  }
  const textDims = new Map<number, { name: string; size: number }>();
  for (const { characters } of planned)
    if (characters !== undefined && !textDims.has(characters))
      textDims.set(characters, {
        name: names(`d \0${characters}`, `string${characters}`),
        size: characters,
      });
  const others = otherCoordinates(set);
  const variables = planned.map((each): NetcdfVariable => {
    const { variable, name, type, time, characters } = each;
    const own = variable.dimensions.map((dimension) => defined(dims.get(dimension)));
    const text = characters === undefined ? [] : [defined(textDims.get(characters))];
    const related =
      set.variables.includes(variable) && others.length > 0 ? { coordinates: others.join(' ') } : {};
    return {
      name,
      type,
      dimensions: [...own, ...text],
      attributes: { ...variable.attributes, ...related, ...time?.attributes, ...missingOf(variable, type) },
    };
  });
  const all = [...dims.values(), ...textDims.values()];
  const attributes = { ...set.attributes, Conventions: 'CF-1.11' };
  const { header, paddings } = printHeader(all, attributes, variables);
  yield header;
  for (const [i, each] of planned.entries()) {
    yield* valuesOf(each, readOf);
    const padding = defined(paddings[i]);
    if (padding > 0) yield new Uint8Array(padding);
  }
}

/** Missing values of floats are NaN; booleans are named as xarray does. */
function missingOf({ slice: { dtype } }: LabelledVariable, type: NetcdfType): JsonObject {
  if (dtype.name === 'bool') return { dtype: 'bool' };
  return (type === 'float' || type === 'double') && dtype.name.startsWith('float') ? { _FillValue: NaN } : {};
}

async function* valuesOf(
  { variable: { slice }, type, blocks, time, characters }: PlannedVariable,
  readOf: () => ReadParts,
): AsyncGenerator<BodyPiece> {
  const encode = (block: Block): Uint8Array => {
    if (characters !== undefined) return paddedTexts(block, characters);
    if (!('bytes' in block)) throw new TypeError('only coordinates have texts');
    if (time !== undefined) return timesAs(block.bytes, type, time);
    return slice.dtype.name === 'float16' ? widenedHalves(block.bytes) : bigEndian(block.bytes, type);
  };
  if (blocks !== undefined) {
    for (const block of blocks) yield* inParts(block, encode);
    return;
  }
  let next = 0;
  const size = sizeOf(slice.shape);
  for await (const { block, from, to } of readOf()(slice, { from: 0, to: size })) {
    if (from !== next) throw new TypeError(`the values continue at ${from} instead of ${next}`);
    next = to;
    yield* inParts(block, encode);
  }
}

/** Number of elements that are converted in one turn of the event loop: a few milliseconds. */
const PART = 2 ** 17;

async function* inParts(block: Block, encode: (part: Block) => Uint8Array): AsyncGenerator<Uint8Array> {
  const count = sizeOf(block.shape);
  for (let from = 0; from < count; from += PART) {
    yield encode(blockPart(block, from, Math.min(count, from + PART)));
    if (from + PART < count) await nextTurn();
  }
}
