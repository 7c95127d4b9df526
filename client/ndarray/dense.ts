/** The one implementation of NDArray: values side by side in C order. */
import { InputError } from '../errors.js';
import type { DataOf, DTypeName, NestedOf, ScalarOf, TimeUnit } from './ndarray.js';
import type { NDArray, NDArrayUnion } from './ndarray.js';
import { nest, placeOf, sizeOf, stridesOf } from './shape.js';

/** What an array is made of; `read` gives the value at a place in C order, which is in range. */
export interface DenseParts<D extends DTypeName> {
  readonly dtype: D;
  readonly shape: readonly number[];
  readonly dimensions?: readonly (string | null)[] | undefined;
  readonly data: DataOf<D>;
  readonly bytes?: Uint8Array | undefined;
  readonly unit?: TimeUnit | undefined;
  readonly scale?: number | undefined;
  readonly read: (place: number) => ScalarOf<D>;
}

export function createDense<D extends DTypeName>(parts: DenseParts<D>): NDArray<D> {
  return new DenseNDArray(parts);
}

class DenseNDArray<D extends DTypeName> implements NDArray<D> {
  readonly dtype: D;
  readonly shape: readonly number[];
  readonly dimensions: readonly (string | null)[];
  readonly data: DataOf<D>;
  readonly bytes: Uint8Array | undefined;
  readonly unit: TimeUnit | undefined;
  readonly scale: number;
  readonly size: number;
  readonly #read: (place: number) => ScalarOf<D>;

  constructor(parts: DenseParts<D>) {
    this.dtype = parts.dtype;
    this.shape = parts.shape;
    this.dimensions = parts.dimensions ?? parts.shape.map(() => null);
    this.data = parts.data;
    this.bytes = parts.bytes;
    this.unit = parts.unit;
    this.scale = parts.scale ?? 1;
    this.size = sizeOf(parts.shape);
    this.#read = parts.read;
  }

  get ndim(): number {
    return this.shape.length;
  }

  get strides(): readonly number[] {
    return stridesOf(this.shape);
  }

  get(...indices: readonly number[]): ScalarOf<D> {
    return this.#read(placeOf(indices, this.shape));
  }

  at(place: number): ScalarOf<D> {
    if (!Number.isInteger(place) || place < 0 || place >= this.size)
      throw new InputError('BAD_SELECTION', `place ${place} is out of range for ${this.size} values`);
    return this.#read(place);
  }

  is<U extends DTypeName>(...names: readonly U[]): this is NDArrayUnion<U> {
    return names.some((name) => name === String(this.dtype));
  }

  toNested(): NestedOf<ScalarOf<D>> {
    return nest(this.shape, this.#read);
  }

  *[Symbol.iterator](): Iterator<ScalarOf<D>> {
    for (let place = 0; place < this.size; place++) yield this.#read(place);
  }
}
