/** The memory of a program: its registers, and how values come into them and out. */
import { narrowToHalves, widenHalves } from '../../../../wire/float16.js';
import type { FixedSizeType } from '../../dtype/data-type.js';
import { UnsupportedError } from '../../errors.js';
import { RUN, type Program } from './program.js';
import type { Words } from './word-kernels.js';

export type Register = Float64Array | Words;

/** Whether values of this type can be computed with. */
export function isComputable({ name }: FixedSizeType): boolean {
  return name !== 'complex64' && name !== 'complex128' && Object.hasOwn(viewsOf, name);
}

type View = Words | Float32Array | Float64Array | Uint8Array | Int8Array | Int16Array | Uint16Array | Int32Array | Uint32Array; // prettier-ignore

const viewsOf: Readonly<Record<string, (bytes: Uint8Array, count: number) => View>> = {
  bool: ({ buffer, byteOffset }, n) => new Uint8Array(buffer, byteOffset, n),
  int8: ({ buffer, byteOffset }, n) => new Int8Array(buffer, byteOffset, n),
  uint8: ({ buffer, byteOffset }, n) => new Uint8Array(buffer, byteOffset, n),
  int16: ({ buffer, byteOffset }, n) => new Int16Array(buffer, byteOffset, n),
  uint16: ({ buffer, byteOffset }, n) => new Uint16Array(buffer, byteOffset, n),
  int32: ({ buffer, byteOffset }, n) => new Int32Array(buffer, byteOffset, n),
  uint32: ({ buffer, byteOffset }, n) => new Uint32Array(buffer, byteOffset, n),
  int64: ({ buffer, byteOffset }, n) => new BigInt64Array(buffer, byteOffset, n),
  uint64: ({ buffer, byteOffset }, n) => new BigUint64Array(buffer, byteOffset, n),
  'numpy.datetime64': ({ buffer, byteOffset }, n) => new BigInt64Array(buffer, byteOffset, n),
  'numpy.timedelta64': ({ buffer, byteOffset }, n) => new BigInt64Array(buffer, byteOffset, n),
  float16: ({ buffer, byteOffset }, n) => new Uint16Array(buffer, byteOffset, n),
  float32: ({ buffer, byteOffset }, n) => new Float32Array(buffer, byteOffset, n),
  float64: ({ buffer, byteOffset }, n) => new Float64Array(buffer, byteOffset, n),
};

/** @param bytes aligned to the type's size. @throws UnsupportedError */
function viewOf({ name }: FixedSizeType, bytes: Uint8Array, count: number): View {
  const view = viewsOf[name]?.(bytes, count);
  if (view === undefined) throw new UnsupportedError(`values of the type ${name} cannot be computed with`);
  return view;
}

export function createRegisters({ registers, constants }: Program): Register[] {
  const made = registers.map((kind): Register => {
    if (kind === 'float') return new Float64Array(RUN);
    return kind === 'int64' ? new BigInt64Array(RUN) : new BigUint64Array(RUN);
  });
  for (const { register, value } of constants) {
    const target = made[register];
    if (target instanceof Float64Array) target.fill(Number(value));
    else target?.fill(BigInt(value));
  }
  return made;
}

/** Of at most `RUN` elements. */
export function loadRegister(
  register: Register | undefined,
  dtype: FixedSizeType,
  bytes: Uint8Array,
  n: number,
): void {
  const view = viewOf(dtype, bytes, n);
  if (register instanceof Float64Array) {
    if (isWords(view)) throw new TypeError('64-bit integers need a register of their own');
    if (dtype.name === 'bool') loadTruth(n, register, view);
    else register.set(dtype.name === 'float16' && view instanceof Uint16Array ? widenHalves(view) : view);
  } else if (isWords(view)) register?.set(view);
}

/** Any byte but 0 is true. */
function loadTruth(n: number, register: Float64Array, bytes: ArrayLike<number>): void {
  for (let i = 0; i < n; i++) register[i] = bytes[i] === 0 ? 0 : 1;
}

export function storeRegister(
  register: Register | undefined,
  dtype: FixedSizeType,
  bytes: Uint8Array,
  n: number,
): void {
  const view = viewOf(dtype, bytes, n);
  if (register instanceof Float64Array) {
    if (isWords(view)) throw new TypeError('64-bit integers need a register of their own');
    const values = register.subarray(0, n);
    view.set(dtype.name === 'float16' ? narrowToHalves(Float32Array.from(values)) : values);
  } else if (isWords(view) && register !== undefined) view.set(register.subarray(0, n));
}

function isWords(array: View | Register): array is Words {
  return array instanceof BigInt64Array || array instanceof BigUint64Array;
}
