/** Tags of typed arrays (RFC 8746, section 2): a byte string under one of these is a list of numbers. */
import type { TypeName } from '../../zarr/index.js';

/** A multi-dimensional array in row-major order: [dimensions, values]. */
export const ARRAY_TAG = 40;

/** What the values of a type are written under, little-endian. The other types are lists of items. */
export const tagOfType: Partial<Readonly<Record<TypeName, number>>> = {
  bool: 64,
  uint8: 64,
  uint16: 69,
  uint32: 70,
  uint64: 71,
  int8: 72,
  int16: 77,
  int32: 78,
  int64: 79,
  float16: 84,
  float32: 85,
  float64: 86,
  complex64: 85,
  complex128: 86,
  'numpy.datetime64': 79,
  'numpy.timedelta64': 79,
};

export interface TypedArrayForm {
  /** NumPy's typestr once it is little-endian. */
  readonly dtype: string;
  readonly itemSize: number;
  readonly bigEndian: boolean;
}

const kinds = [
  { bits: 0b00, kind: 'u' },
  { bits: 0b01, kind: 'i' },
  { bits: 0b10, kind: 'f' },
] as const;

/**
 * What a tag says of its bytes: 0b010_f_s_e_ll (RFC 8746, section 2.1). Undefined for tags that are none of these, for
 * floats of 128 bits (83, 87), which JavaScript has no numbers for, and for the reserved 76.
 */
export function typedArrayForm(tag: number): TypedArrayForm | undefined {
  if (tag < 64 || tag > 87) return undefined;
  const kind = kinds.find(({ bits }) => bits === ((tag >> 3) & 0b11))?.kind;
  const littleEndian = (tag & 0b100) !== 0;
  const exponent = (tag & 0b11) + (kind === 'f' ? 1 : 0);
  if (kind === undefined || exponent > 3 || tag === 76) return undefined;
  const itemSize = 2 ** exponent;
  // 68 is uint8 with clamped arithmetic: the same bytes.
  return {
    dtype: `${itemSize === 1 ? '|' : '<'}${kind}${itemSize}`,
    itemSize,
    bigEndian: itemSize > 1 && !littleEndian,
  };
}
