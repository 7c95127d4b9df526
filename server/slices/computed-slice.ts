/** The base of all slices that are computed from others. */
import { type Block, dataTypeName, type DataType } from '../core/dtype/data-type.js';
import { SelectionError, UnsupportedError } from '../core/errors.js';
import type { Limits } from '../core/limits.js';
import { exceededLimits, type PlanCost } from '../format/plan/cost.js';
import type { SelectionInput } from '../format/selection/plain.js';
import type {
  ArraySlice,
  BlockEnd,
  LazySlice,
  SliceBlock,
  SliceFoldOptions,
  SlicePreparation,
  SliceReadOptions,
  SliceReduction,
  SliceStreamOptions,
  StoredElements,
} from './lazy-slice.js';
import { costOfParts } from './split-slice.js';
import { streamSlice } from './stream-slice.js';

/** What a slice states about its values. */
export type SliceFrame = Pick<LazySlice, 'where' | 'origin' | 'dtype' | 'dtypeName' | 'shape' | 'dims'>;

/** The frame of a slice whose values have another data type. */
export function framedAs(
  { where, origin, dtype: before, dtypeName, shape, dims }: SliceFrame,
  own: Partial<Pick<SliceFrame, 'origin' | 'shape' | 'dims'>> & { readonly dtype: DataType },
): SliceFrame {
  const name = own.dtype === before ? dtypeName : dataTypeName(own.dtype);
  return { where, origin, shape, dims, dtypeName: name, ...own };
}

/** One preparation for several. */
export function joinedPreparation(
  preparations: readonly (SlicePreparation | undefined)[],
): SlicePreparation | undefined {
  const all = preparations.filter((one) => one !== undefined);
  if (all.length < 2) return all[0];
  return {
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    *steps() {
      for (const one of all) yield* one.steps();
    },
  };
}

/**
 * A slice whose values are computed from those of its bases. A subclass defines `select`, `cost` and `compute`. It
 * overrides other members only if they do not follow from the bases: the defaults below hold for any computation.
 */
export abstract class ComputedSlice implements LazySlice {
  readonly where: LazySlice['where'];
  readonly origin: LazySlice['origin'];
  readonly dtype: DataType;
  readonly dtypeName: string;
  readonly shape: readonly number[];
  readonly dims: LazySlice['dims'];
  readonly inputs: readonly ArraySlice[];
  readonly #bases: readonly LazySlice[];

  /** @param beside inputs in addition to those of the bases */
  constructor(frame: SliceFrame, bases: readonly LazySlice[], beside: readonly ArraySlice[] = []) {
    this.where = frame.where;
    this.origin = frame.origin;
    this.dtype = frame.dtype;
    this.dtypeName = frame.dtypeName;
    this.shape = frame.shape;
    this.dims = frame.dims;
    this.#bases = bases;
    this.inputs = [...bases.flatMap(({ inputs }) => inputs), ...beside];
  }

  get readBefore(): readonly ArraySlice[] {
    return this.#bases.flatMap(({ readBefore = [] }) => readBefore);
  }

  get isReadWhole(): boolean {
    return this.#bases.some(({ isReadWhole }) => isReadWhole === true);
  }

  get isComputed(): boolean {
    return true;
  }

  get isPointwise(): boolean {
    return false;
  }

  get takesOut(): boolean {
    return this.dtype.itemSize !== null;
  }

  get extent(): LazySlice['extent'] {
    return undefined;
  }

  get elements(): StoredElements | undefined {
    return undefined;
  }

  get fold(): LazySlice['fold'] {
    return undefined;
  }

  get joinKey(): string | undefined {
    return undefined;
  }

  get planned(): StoredElements | undefined {
    return undefined;
  }

  get reduction(): SliceReduction | undefined {
    return undefined;
  }

  get preparation(): SlicePreparation | undefined {
    return joinedPreparation(this.#bases.map(({ preparation }) => preparation));
  }

  blockEndAlong(_axis: number): BlockEnd | undefined {
    return undefined;
  }

  abstract select(selection?: SelectionInput): LazySlice;

  field(_name: string): LazySlice {
    throw new SelectionError(
      `computed values of type ${this.dtype.name} have no fields; select the field of a struct first`,
    );
  }

  abstract cost(): PlanCost;

  streamedCost(limits: Limits): PlanCost {
    return costOfParts(this, limits);
  }

  exceeded(limits: Limits): ReturnType<LazySlice['exceeded']> {
    return exceededLimits(this.cost(), limits);
  }

  async read({ out, readOnly: _, ...options }: SliceReadOptions = {}): Promise<Block> {
    if (out !== undefined) this.assertTakesOut();
    return this.compute(options, out);
  }

  protected assertTakesOut(): void {
    if (!this.takesOut)
      throw new UnsupportedError(
        `values of type ${this.dtype.name} cannot be read into an "out" buffer; omit "out"`,
      );
  }

  /** Implements `read`. @param out undefined unless `takesOut` is set; of any size */
  protected abstract compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block>;

  stream(options?: SliceStreamOptions): AsyncIterable<SliceBlock> {
    return streamSlice(this, options);
  }
}

/** A slice whose values are at the positions of those of its base, and missing where those are. */
export abstract class ElementwiseSlice extends ComputedSlice {
  protected readonly base: LazySlice;

  constructor(frame: SliceFrame, base: LazySlice, beside: readonly ArraySlice[] = []) {
    super(frame, [base], beside);
    this.base = base;
  }

  override get isComputed(): boolean {
    return this.base.isComputed === true;
  }

  override get extent(): LazySlice['extent'] {
    return this.base.extent?.slice(0, this.shape.length);
  }

  override blockEndAlong(axis: number): BlockEnd | undefined {
    return this.base.blockEndAlong?.(axis);
  }
}
