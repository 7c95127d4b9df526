/** Implements NDArray with contiguous values in C order. */
import { NAT } from '../../wire/data-types.js';
import { InputError } from '../errors.js';
import { toJsonForm } from '../json/json-form.js';
import type { JsonValue } from '../json/json.js';
import type {
  Coordinates,
  DataOf,
  DTypeName,
  NDArray,
  NDArrayUnion,
  NestedOf,
  ScalarOf,
  TimeUnit,
} from './ndarray.js';
import { nest, positionOf, sizeOf, stridesOf } from './shape.js';
import { toIsoText } from './displayed-values.js';

/** The parts of an array. `read` returns the value at a valid position in C order. */
export interface DenseParts<D extends DTypeName> {
  readonly dtype: D;
  readonly shape: readonly number[];
  readonly dimensions?: readonly (string | null)[] | undefined;
  readonly data: DataOf<D>;
  /** A function if the bytes are computed on first use. */
  readonly bytes?: Uint8Array | (() => Uint8Array) | undefined;
  readonly mask?: Uint8Array | undefined;
  readonly coordinates?: Coordinates | undefined;
  readonly unit?: TimeUnit | undefined;
  readonly scale?: number | undefined;
  readonly read: (position: number) => ScalarOf<D>;
}

/** If `D` is a union, `data` must have the type of `dtype`. */
export function createDense<D extends DTypeName>(parts: DenseParts<D>): NDArrayUnion<D> {
  return new DenseNDArray(parts);
}

/**
 * The class has a custom tag and no enumerable properties, so that caches do not traverse, compare, copy or freeze
 * arrays like plain objects.
 */
class DenseNDArray<D extends DTypeName> implements NDArray<D> {
  readonly #parts: DenseParts<D>;
  #bytes: Uint8Array | undefined;

  constructor(parts: DenseParts<D>) {
    this.#parts = parts;
  }

  get dtype(): D {
    return this.#parts.dtype;
  }

  get shape(): readonly number[] {
    return this.#parts.shape;
  }

  get ndim(): number {
    return this.shape.length;
  }

  get size(): number {
    return sizeOf(this.shape);
  }

  get strides(): readonly number[] {
    return stridesOf(this.shape);
  }

  get dimensions(): readonly (string | null)[] {
    return this.#parts.dimensions ?? this.shape.map(() => null);
  }

  get data(): DataOf<D> {
    return this.#parts.data;
  }

  get bytes(): Uint8Array | undefined {
    const { bytes } = this.#parts;
    if (typeof bytes !== 'function') return bytes;
    this.#bytes ??= bytes();
    return this.#bytes;
  }

  get mask(): Uint8Array | undefined {
    return this.#parts.mask;
  }

  get coordinates(): Coordinates | undefined {
    return this.#parts.coordinates;
  }

  get unit(): TimeUnit | undefined {
    return this.#parts.unit;
  }

  get scale(): number {
    return this.#parts.scale ?? 1;
  }

  get(...indices: readonly number[]): ScalarOf<D> {
    return this.#parts.read(positionOf(indices, this.shape));
  }

  at(position: number): ScalarOf<D> {
    const { size } = this;
    if (!Number.isInteger(position) || position < 0 || position >= size)
      throw new InputError('BAD_SELECTION', `position ${position} is out of range for ${size} values`);
    return this.#parts.read(position);
  }

  is<U extends DTypeName>(...names: readonly U[]): this is NDArrayUnion<U> {
    return names.some((name) => name === String(this.dtype));
  }

  toNested(): NestedOf<ScalarOf<D>> {
    return nest(this.shape, this.#parts.read);
  }

  toJSON(): JsonValue {
    const { dtype, shape } = this;
    const { read } = this.#parts;
    const toJson = (at: number): JsonValue => {
      const value = read(at);
      if (this.unit === undefined || typeof value !== 'bigint') return toJsonForm(value);
      if (value === NAT) return null;
      return dtype === 'numpy.datetime64' ? toIsoText(value, this) : String(value);
    };
    return nest(shape, toJson);
  }

  *[Symbol.iterator](): Iterator<ScalarOf<D>> {
    const { read } = this.#parts;
    for (let position = 0, { size } = this; position < size; position++) yield read(position);
  }

  get [Symbol.toStringTag](): string {
    return 'NDArray';
  }

  /** The representation in Node's console. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const { dtype, shape, dimensions, data } = this;
    const sizes = shape.map((size, d) => (dimensions[d] == null ? size : `${dimensions[d]}: ${size}`));
    return `NDArray ${dtype} [${sizes.join(', ')}] ${inspect(data, options)}`;
  }
}
