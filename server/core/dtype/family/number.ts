/** Booleans, integers, floats and complex numbers. To add one, add a row here and in `wire/data-types.ts`. */
import { type NumberArrayType, elementArrays, numberTypes } from '../../../../wire/data-types.js';
import { widenHalves } from '../../../../wire/float16.js';
import {
  type Block,
  type DataOf,
  type NumberName,
  type NumberType,
  isComplexName,
  isNumberName,
  numberNames,
  numberType,
} from '../data-type.js';
import { parseNumberFill, printNumberFill } from '../fill-number.js';
import {
  packBooleans,
  packComplex,
  packFloats,
  packHalves,
  packIntegers,
  packLongs,
  sameMemory,
  type PositionText,
} from '../pack-numbers.js';
import { type Family, type FixedTraits, canonicalName, refuseConfiguration, viewAs } from './family.js';

interface NumberRow<N extends NumberName> {
  /** All values of a block, as in `ScalarTypes`. */
  readonly view: (block: Block) => DataOf<N>;
  /** @throws InputError naming the position of the value */
  readonly pack: (values: ArrayLike<unknown>, position: PositionText) => Uint8Array;
}

type PackAs<T> = (
  values: ArrayLike<unknown>,
  View: new (length: number) => T,
  name: NumberName,
  position: PositionText,
) => Uint8Array;

/** A data type whose typed array holds the stored bits, so that an array of that class is used directly. */
function plain<N extends NumberName, T extends DataOf<N>>(
  name: N,
  View: NumberArrayType<T>,
  pack: PackAs<T>,
): NumberRow<N> {
  return {
    view: viewAs(View),
    pack: (values, position) =>
      values instanceof View ? sameMemory(values) : pack(values, View, name, position),
  };
}

/** A complex data type, whose parts alternate. */
function pairs<N extends NumberName, T extends DataOf<N> & (Float32Array | Float64Array)>(
  name: N,
  View: NumberArrayType<T>,
): NumberRow<N> {
  return { view: viewAs(View), pack: (values, position) => packComplex(values, View, name, position) };
}

const rows: { readonly [N in NumberName]: NumberRow<N> } = {
  bool: { view: viewAs(Uint8Array), pack: packBooleans },
  int8: plain('int8', elementArrays.int8, packIntegers),
  int16: plain('int16', elementArrays.int16, packIntegers),
  int32: plain('int32', elementArrays.int32, packIntegers),
  int64: plain('int64', elementArrays.int64, packLongs),
  uint8: plain('uint8', elementArrays.uint8, packIntegers),
  uint16: plain('uint16', elementArrays.uint16, packIntegers),
  uint32: plain('uint32', elementArrays.uint32, packIntegers),
  uint64: plain('uint64', elementArrays.uint64, packLongs),
  float16: { view: (block) => widenHalves(viewAs(Uint16Array)(block)), pack: packHalves },
  float32: plain('float32', elementArrays.float32, packFloats),
  float64: plain('float64', elementArrays.float64, packFloats),
  complex64: pairs('complex64', elementArrays.float32),
  complex128: pairs('complex128', elementArrays.float64),
};

export const numberRows = rows;

/** Other names in use, with the registered names. */
const aliases = { complex_float32: 'complex64', complex_float64: 'complex128' };

export const numberFamily: Family = {
  names: numberNames(),
  parseV3({ name, configuration, at }) {
    const number = canonicalName(name, aliases);
    if (!isNumberName(number)) return undefined;
    refuseConfiguration(configuration, number, at);
    return numberType(number);
  },
};

const known = new Map<NumberName, FixedTraits>();

/**
 * The traits of a number type: one object per data type, because `elementAt` looks it up for every element.
 */
export function numberTraits({ name }: NumberType): FixedTraits {
  let traits = known.get(name);
  if (traits === undefined) known.set(name, (traits = createTraits(numberType(name))));
  return traits;
}

function createTraits(dtype: NumberType): FixedTraits {
  const { name, itemSize } = dtype;
  const { form } = numberTypes[name];
  const parts = form === 'complex' ? 2 : 1;
  return {
    v3Json: () => name,
    listValues: 'none',
    // Real data types cannot represent complex numbers.
    castsFrom: ({ name: other }) => isNumberName(other) && (form === 'complex' || !isComplexName(other)),
    swaps: () => (itemSize === 1 ? [] : [{ offset: 0, unit: itemSize / parts, count: parts }]),
    undefinedFill: () => new Uint8Array(itemSize),
    parseFill: (json, context) => parseNumberFill(json, dtype, context),
    printFill: (bytes, format) => printNumberFill(bytes, dtype, format),
    pack: (values, position) => rows[name].pack(values, position),
    valueOf(item) {
      const [first, second] = rows[name].view({ dtype, shape: [1], bytes: item });
      if (form === 'complex') return [first, second];
      return form === 'boolean' ? first !== 0 : first;
    },
  };
}
