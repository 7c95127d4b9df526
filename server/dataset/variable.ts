/** A variable of a dataset: an array with named dimensions, and what the conventions say about it. */
import { type ArraySlice, atPlace, type JsonObject, type Selection, type ZarrArray } from '../zarr/index.js';
import { textAttribute, visibleAttributes, withoutNames } from './attributes.js';
import type { Decoding, DecodeOptions } from './decode/decoding.js';
import { planDecoding } from './decode/plan-decoding.js';
import { isStoredScalar } from './nczarr.js';

/** What the variables around it say about a variable. */
export interface VariableContext {
  readonly isCoordinate: boolean;
  /** The variable whose cells this one bounds. */
  readonly boundsOf: string | undefined;
  /** Attributes to decode by, where they are not only its own (bounds of times). */
  readonly attributes: JsonObject;
  /** Nothing else runs along the last dimension, so that it may be the characters of texts. */
  readonly mayJoinCharacters: boolean;
}

export class Variable {
  readonly name: string;
  /** Of the array, the part that is the variable's: all, or the one element of a scalar that is stored in a list. */
  readonly whole: Selection;
  /** Elements along each dimension as stored; none for a scalar, however it is stored. */
  readonly storedShape: readonly number[];
  readonly #planned = new Map<boolean, Decoding>();

  /** @param storedDimensions see `namedDimensions` */
  constructor(
    readonly array: ZarrArray,
    readonly storedDimensions: readonly string[],
    readonly context: VariableContext,
  ) {
    this.name = array.name;
    const isScalar = storedDimensions.length < array.shape.length;
    this.whole = isScalar ? { kind: 'dims', dims: [{ kind: 'index', index: 0 }] } : { kind: 'all' };
    this.storedShape = isScalar ? [] : array.shape;
  }

  /** The whole variable as it is stored, nothing read. */
  get stored(): ArraySlice {
    return this.array.select(this.whole);
  }

  /**
   * How stored values become what users see; pure.
   * @throws MetadataError, UnsupportedError naming the attribute that is wrong
   */
  decoding(options: { readonly maskOutOfRange?: boolean } = {}): Decoding {
    const maskOutOfRange = options.maskOutOfRange ?? false;
    const known = this.#planned.get(maskOutOfRange);
    if (known !== undefined) return known;
    const planned = this.#plan({ maskOutOfRange, joinCharacters: this.context.mayJoinCharacters });
    this.#planned.set(maskOutOfRange, planned);
    return planned;
  }

  #plan(options: DecodeOptions): Decoding {
    const { meta } = this.array;
    return this.placed(() =>
      planDecoding(
        {
          name: this.name,
          zarrFormat: meta.zarrFormat,
          dtype: meta.dtype,
          shape: this.storedShape,
          attributes: this.context.attributes,
          fill: meta.fillJson === null ? undefined : meta.fill,
        },
        options,
      ),
    );
  }

  /** What it gives; what it throws names the array. */
  placed<T>(make: () => T): T {
    try {
      return make();
    } catch (error) {
      throw atPlace(error, { store: this.array.home.store.label, path: this.array.path });
    }
  }

  /** Whether the last dimension holds the characters of texts. */
  get joinsCharacters(): boolean {
    if (this.array.meta.dtype.name !== 'null_terminated_bytes') return false;
    try {
      return this.decoding().joinedCharacters !== undefined;
    } catch {
      return false;
    }
  }

  /** The dimensions that users see. */
  get dimensions(): readonly string[] {
    return this.joinsCharacters ? this.storedDimensions.slice(0, -1) : this.storedDimensions;
  }

  /** Elements along each of `dimensions`. */
  get shape(): readonly number[] {
    return this.joinsCharacters ? this.storedShape.slice(0, -1) : this.storedShape;
  }

  /** The attribute; of dates always one. */
  get calendar(): string | undefined {
    return this.#tryDecoding()?.calendar ?? textAttribute(this.context.attributes, 'calendar');
  }

  get kind(): 'DATA' | 'COORDINATE' {
    return this.context.isCoordinate ? 'COORDINATE' : 'DATA';
  }

  /** A coordinate of one dimension that has its name: the one that labels are looked up in. */
  get isIndex(): boolean {
    return this.dimensions.length === 1 && this.dimensions[0] === this.name;
  }

  /** The variable's own, without bookkeeping. */
  get ownAttributes(): JsonObject {
    return visibleAttributes(this.array.meta.attributes);
  }

  /** What is left for users once decoding has used its part; where that is wrong, everything. */
  get attributes(): JsonObject {
    const { attributes } = this.#tryDecoding() ?? { attributes: this.ownAttributes };
    return withoutNames(attributes, (name) => name === 'coordinates');
  }

  /** What was used: by decoding, and to find coordinates. */
  get encoding(): JsonObject {
    const { encoding } = this.#tryDecoding() ?? { encoding: {} };
    const coordinates = this.ownAttributes['coordinates'];
    return coordinates === undefined ? encoding : { ...encoding, coordinates };
  }

  #tryDecoding(): Decoding | undefined {
    try {
      return this.decoding();
    } catch {
      return undefined;
    }
  }
}

/** @returns undefined where a dimension has no name */
export function namedDimensions(array: ZarrArray): string[] | undefined {
  if (isStoredScalar(array)) return [];
  const names = array.dimensionNames.filter((name) => name !== null);
  return names.length === array.shape.length ? names : undefined;
}
