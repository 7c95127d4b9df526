/** Common parts of all decodings. */
import {
  type Block,
  type DataType,
  type ElementTransform,
  type JsonObject,
  transformBlock,
} from '../../zarr/index.js';
import type { Decoding, StoredVariable, TimeAxis } from './decoding.js';

export interface DecodingParts {
  readonly dtype: DataType;
  /** Attributes that decoding consumes. */
  readonly encoding: JsonObject;
  readonly missing: Decoding['missing'];
  /** If both this and `decode` are absent, values are returned as stored. */
  readonly transform?: ElementTransform | undefined;
  /** For decodings that are not element transforms. */
  readonly decode?: ((stored: Block) => Block) | undefined;
  readonly calendar?: string | undefined;
  readonly joinedCharacters?: number | undefined;
  readonly times?: TimeAxis | undefined;
  readonly refine?: Decoding['refine'];
}

/** Estimated memory of one string: the list entry and a short text. */
const TEXT_BYTES = 64;

/** Bytes of UTF-8 that one byte of stored text becomes at most. */
const UTF8_GROWTH = 3;

export function createDecoding(variable: StoredVariable, parts: DecodingParts): Decoding {
  const left = Object.entries(variable.attributes).filter(([name]) => !Object.hasOwn(parts.encoding, name));
  const attributes: JsonObject = Object.fromEntries(left);
  const { transform } = parts;
  const decode =
    transform === undefined ? parts.decode : (stored: Block) => transformBlock(transform, stored);
  const storedBytes = (variable.dtype.itemSize ?? 0) * (parts.joinedCharacters ?? 1);
  return {
    dtype: parts.dtype,
    elementBytes: parts.dtype.itemSize ?? TEXT_BYTES + UTF8_GROWTH * storedBytes,
    isIdentity: decode === undefined,
    transform,
    missing: parts.missing,
    units: textOf(attributes, 'units'),
    calendar: parts.calendar ?? textOf(attributes, 'calendar'),
    attributes,
    encoding: parts.encoding,
    joinedCharacters: parts.joinedCharacters,
    times: parts.times,
    refine: parts.refine,
    decode: decode ?? ((stored) => stored),
  };
}

function textOf(attributes: JsonObject, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' ? value : undefined;
}
