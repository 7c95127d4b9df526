/** Tags of typed arrays (RFC 8746, section 2): a byte string under one of them is a list of numbers. */
import type { ElementName } from '../data-types.js';

/** A multi-dimensional array in row-major order: [dimensions, values]. */
export const ARRAY_TAG = 40;

/** Tags of little-endian elements, which both ends write. */
export const elementTags: Readonly<Record<ElementName, number>> = {
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
};

export interface TypedArrayForm {
  readonly element: ElementName;
  readonly itemSize: number;
  readonly isBigEndian: boolean;
}

const kinds = [
  { bits: 0b00, kind: 'uint' },
  { bits: 0b01, kind: 'int' },
  { bits: 0b10, kind: 'float' },
] as const;

/**
 * Element type and byte order of a tag, 0b010_f_s_e_ll (RFC 8746, section 2.1).
 * @returns undefined for other tags, for floats of 128 bits (83, 87) and for the reserved 76
 */
export function typedArrayForm(tag: number): TypedArrayForm | undefined {
  const kind = kinds.find(({ bits }) => bits === ((tag >> 3) & 0b11))?.kind;
  const exponent = (tag & 0b11) + (kind === 'float' ? 1 : 0);
  const itemSize = 2 ** exponent;
  const name = `${kind}${itemSize * 8}`;
  if (tag < 64 || tag > 87 || tag === 76 || !isElementName(name)) return undefined;
  // 68 is uint8 with clamped arithmetic: the same bytes.
  return { element: name, itemSize, isBigEndian: itemSize > 1 && (tag & 0b100) === 0 };
}

function isElementName(name: string): name is ElementName {
  return Object.hasOwn(elementTags, name);
}
