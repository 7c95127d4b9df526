/** The header of NetCDF's classic formats: dimensions, attributes, and the types and positions of variables. */
import { defined } from '../../../wire/guards.js';
import { isJsonList, type JsonObject, type JsonValue, parseBase64, printJson } from '../../zarr/index.js';
import { type NetcdfType, netcdfTypes } from './types.js';

export interface NetcdfDimension {
  readonly name: string;
  readonly size: number;
}

export interface NetcdfVariable {
  readonly name: string;
  readonly type: NetcdfType;
  readonly dimensions: readonly NetcdfDimension[];
  readonly attributes: JsonObject;
}

const DIMENSIONS = 10;
const VARIABLES = 11;
const ATTRIBUTES = 12;
/** Sizes in CDF-2 are 32-bit; the value for larger ones, which readers compute from the dimensions. */
const LARGE = 2 ** 32 - 1;
/** Largest size of a variable in CDF-2, in bytes; only the last may be larger. */
const MAX_CLASSIC_BYTES = 2 ** 32 - 4;

/** @returns the header, and the zeros after the values of each variable, in bytes */
export function printHeader(
  dimensions: readonly NetcdfDimension[],
  attributes: JsonObject,
  variables: readonly NetcdfVariable[],
): { readonly header: Buffer; readonly paddings: readonly number[] } {
  const sizes = variables.map(bytesOf);
  const isWide =
    dimensions.some(({ size }) => size >= 2 ** 31) ||
    sizes.some((size) => size > MAX_CLASSIC_BYTES) ||
    variables.some(({ type }) => !netcdfTypes[type].isClassic);
  const print = (begins: readonly number[]): Buffer => {
    const writer = new HeaderWriter(isWide);
    writer.list(DIMENSIONS, dimensions, ({ name, size }) => {
      writer.name(name);
      writer.count(size);
    });
    writer.attributes(attributes);
    writer.list(VARIABLES, variables, (variable) => {
      const i = variables.indexOf(variable);
      writer.name(variable.name);
      writer.count(variable.dimensions.length);
      for (const dimension of variable.dimensions) writer.count(dimensions.indexOf(dimension));
      writer.attributes(variable.attributes, variable.type);
      writer.int(netcdfTypes[variable.type].code);
      writer.size(padded(defined(sizes[i])));
      writer.offset(begins[i] ?? 0);
    });
    return writer.end();
  };
  // Positions have a fixed length, so they do not change the length of the header.
  let begin = print([]).length;
  const begins = sizes.map((size) => {
    const at = begin;
    begin += padded(size);
    return at;
  });
  return { header: print(begins), paddings: sizes.map((size) => padded(size) - size) };
}

function bytesOf({ type, dimensions }: NetcdfVariable): number {
  return dimensions.reduce<number>((product, { size }) => product * size, netcdfTypes[type].bytes);
}

function padded(size: number): number {
  return Math.ceil(size / 4) * 4;
}

class HeaderWriter {
  readonly #pieces: Buffer[];
  readonly #isWide: boolean;

  constructor(isWide: boolean) {
    this.#isWide = isWide;
    this.#pieces = [Buffer.from(`CDF${isWide ? '\x05' : '\x02'}`, 'latin1')];
    // No dimension is unlimited.
    this.count(0);
  }

  end(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  int(value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    this.#pieces.push(bytes);
  }

  /** A non-negative number: 4 bytes in CDF-2, 8 in CDF-5. */
  count(value: number): void {
    if (this.#isWide) this.offset(value);
    else this.int(value);
  }

  size(value: number): void {
    this.count(this.#isWide ? value : Math.min(value, LARGE));
  }

  offset(value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(value));
    this.#pieces.push(bytes);
  }

  name(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    this.count(bytes.length);
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): void {
    this.#pieces.push(Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]));
  }

  list<T>(tag: number, items: readonly T[], write: (item: T) => void): void {
    this.int(items.length === 0 ? 0 : tag);
    this.count(items.length);
    for (const item of items) write(item);
  }

  /** @param type type of the variable */
  attributes(attributes: JsonObject, type?: NetcdfType): void {
    const known = Object.entries(attributes).filter(([name, value]) => isKept(name, value, type));
    this.list(ATTRIBUTES, known, ([name, value]) => {
      this.name(name.replaceAll('/', '_'));
      const own = type !== undefined && ofValues.test(name) ? listOf(value, type) : undefined;
      const { type: written, bytes, length } = own ?? attributeValue(value, this.#isWide);
      this.int(netcdfTypes[written].code);
      this.count(length);
      this.bytes(bytes);
    });
  }
}

interface AttributeValue {
  readonly type: NetcdfType;
  readonly bytes: Buffer;
  readonly length: number;
}

/** Attributes that have the type of the values of their variable (CF, appendix A). */
const ofValues = /^(_FillValue|missing_value|valid_(min|max|range)|flag_(values|masks)|actual_range)$/;

function isKept(name: string, value: JsonValue, type: NetcdfType | undefined): boolean {
  if (value === null) return false;
  return !(ofValues.test(name) && type !== undefined && type !== 'char' && listOf(value, type) === undefined);
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return isJsonList(value) ? value : [value];
}

/** Numbers in a type; undefined if one is not a number of it. */
function listOf(value: JsonValue, type: NetcdfType): AttributeValue | undefined {
  const items = itemsOf(value);
  if (type === 'char' || items.length === 0) return undefined;
  const { bytes: size } = netcdfTypes[type];
  const bytes = Buffer.alloc(size * items.length);
  for (const [i, stored] of items.entries()) {
    const item = typeof stored === 'string' ? doubleOfText(stored) : stored;
    if (typeof item !== 'number' && typeof item !== 'bigint') return undefined;
    if (type === 'float') bytes.writeFloatBE(Number(item), i * size);
    else if (type === 'double') bytes.writeDoubleBE(Number(item), i * size);
    else {
      if (!Number.isInteger(Number(item))) return undefined;
      const bits = 8 * size;
      const whole = BigInt(item);
      if (whole < -(2n ** BigInt(bits - 1)) || whole >= 2n ** BigInt(bits)) return undefined;
      bytes.write(
        BigInt.asUintN(bits, whole)
          .toString(16)
          .padStart(2 * size, '0'),
        i * size,
        'hex',
      );
    }
  }
  return { type, bytes, length: items.length };
}

/** A fill value of floats as xarray writes it to format 3: base64 of 8 bytes. */
function doubleOfText(text: string): number | undefined {
  const bytes = parseBase64(text);
  return bytes?.length === 8 ? new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true) : undefined;
}

/** Numbers and lists of numbers as such, texts as they are, other values as JSON. */
function attributeValue(value: JsonValue, isWide: boolean): AttributeValue {
  const types: readonly NetcdfType[] = isWide ? ['int', 'int64', 'double'] : ['int', 'double'];
  for (const type of types) {
    const list = fits(value, type) ? listOf(value, type) : undefined;
    if (list !== undefined) return list;
  }
  const bytes = Buffer.from(typeof value === 'string' ? value : printJson(value), 'utf8');
  return { type: 'char', bytes, length: bytes.length };
}

/** Whether all items are signed numbers of the type. */
function fits(value: JsonValue, type: NetcdfType): boolean {
  if (type === 'double') return true;
  const most = 2 ** (8 * netcdfTypes[type].bytes - 1);
  return itemsOf(value).every((item) => Number(item) >= -most && Number(item) < most);
}
