/** Creates decodings from the parts that differ between them. */
import {
  type Block,
  type DataType,
  type ElementTransform,
  InputError,
  type JsonObject,
  transformBlock,
} from '../../zarr/index.js';
import type { DateStyle } from '../calendar/date-text.js';
import { labelSpan } from '../calendar/label-span.js';
import type { StoredVariable, TimeAxis, VariableDecoding } from './decoding.js';

export interface DecodingParts {
  readonly dtype: DataType;
  /** Attributes that decoding consumes. */
  readonly encoding: JsonObject;
  readonly missing: VariableDecoding['missing'];
  /** If both this and `decode` are absent, values are returned as stored. */
  readonly transform?: ElementTransform | undefined;
  /** Decodes a block. Set if the decoding is neither an element transform nor an identity. */
  readonly decode?: ((stored: Block) => Block) | undefined;
  readonly calendar?: string | undefined;
  readonly joinedCharacters?: number | undefined;
  readonly times?: TimeAxis | undefined;
  readonly refine?: VariableDecoding['refine'];
}

/** Estimated memory of one string in bytes: the list entry and a short text. */
const TEXT_BYTES = 64;

/** Maximum number of UTF-8 bytes per byte of stored text. */
const UTF8_GROWTH = 3;

export function createDecoding(variable: StoredVariable, parts: DecodingParts): VariableDecoding {
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

/** Creates time axes, which compare dates with labels. */
export function labelAxis(style: DateStyle): Pick<TimeAxis, 'calendar' | 'style' | 'tick' | 'span'> {
  const { name } = style.calendar;
  return {
    calendar: name,
    style,
    tick: style.tick,
    span(label) {
      const span = labelSpan(label, style);
      if (span !== undefined) return span;
      throw new InputError(
        `"${label}" is not a date of the calendar ${name}; expected a form such as "2001", "2001-03" or "2001-03-01T12:00"`,
      );
    },
  };
}
