/** What all decodings have in common. */
import type { Block, DataType, JsonObject } from '../../zarr/index.js';
import type { Decoding, StoredVariable, TimeAxis } from './decoding.js';

interface DecodingParts {
  readonly dtype: DataType;
  /** The attributes that are used up. */
  readonly encoding: JsonObject;
  readonly missing: Decoding['missing'];
  /** Left out where nothing is to do. */
  readonly decode?: ((stored: Block) => Block) | undefined;
  readonly calendar?: string | undefined;
  readonly joinedCharacters?: number | undefined;
  readonly times?: TimeAxis | undefined;
  readonly refine?: Decoding['refine'];
}

/** A list's place for an item, and a short text. */
const TEXT_BYTES = 64;

export function createDecoding(variable: StoredVariable, parts: DecodingParts): Decoding {
  const left = Object.entries(variable.attributes).filter(([name]) => !Object.hasOwn(parts.encoding, name));
  const attributes: JsonObject = Object.fromEntries(left);
  return {
    dtype: parts.dtype,
    elementBytes: parts.dtype.itemSize ?? TEXT_BYTES + (variable.dtype.itemSize ?? 0),
    isIdentity: parts.decode === undefined,
    missing: parts.missing,
    units: textOf(attributes, 'units'),
    calendar: parts.calendar ?? textOf(attributes, 'calendar'),
    attributes,
    encoding: parts.encoding,
    joinedCharacters: parts.joinedCharacters,
    times: parts.times,
    refine: parts.refine,
    decode: parts.decode ?? ((stored) => stored),
  };
}

function textOf(attributes: JsonObject, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' ? value : undefined;
}
