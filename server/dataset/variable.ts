/** Datasets and their variables: arrays with named dimensions, interpreted by conventions. */
import {
  type ArraySlice,
  withContext,
  type JsonObject,
  inTurns,
  type Selection,
  type ZarrArray,
  type ZarrError,
  type ZarrGroup,
} from '../zarr/index.js';
import { textAttribute, visibleAttributes, withoutNames } from './attributes.js';
import type { DecodingOptions, VariableDecoding } from './decode/decoding.js';
import { planDecoding } from './decode/plan-decoding.js';
import { isStoredScalar } from './nczarr.js';

/** Properties of a variable that depend on other variables. */
export interface VariableContext {
  readonly isCoordinate: boolean;
  /** The variable whose cell boundaries this one contains. */
  readonly boundsOf: string | undefined;
  /** Attributes for decoding. The bounds of a time coordinate inherit its units and calendar. */
  readonly attributes: JsonObject;
  /** Whether only byte strings use the last dimension, so that its elements may be the characters of text. */
  readonly mayJoinCharacters: boolean;
}

export class Variable {
  readonly name: string;
  /**
   * The part of the array that forms the variable: all of it, or the only element of a scalar stored with
   * shape [1].
   */
  readonly whole: Selection;
  /** Number of elements along each stored dimension; empty for scalars, however they are stored. */
  readonly storedShape: readonly number[];
  readonly #planned = new Map<boolean, VariableDecoding>();

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

  /** The whole variable as stored; lazy. */
  get stored(): ArraySlice {
    return this.array.select(this.whole);
  }

  /**
   * Determines from metadata how stored values are decoded.
   * @throws MetadataError, UnsupportedError naming the invalid attribute
   */
  decoding(options: { readonly maskOutOfRange?: boolean } = {}): VariableDecoding {
    const maskOutOfRange = options.maskOutOfRange ?? false;
    const known = this.#planned.get(maskOutOfRange);
    if (known !== undefined) return known;
    const planned = this.#plan({ maskOutOfRange, joinCharacters: this.context.mayJoinCharacters });
    this.#planned.set(maskOutOfRange, planned);
    return planned;
  }

  #plan(options: DecodingOptions): VariableDecoding {
    const { meta } = this.array;
    return this.withLocation(() =>
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

  /** Runs `make`, and adds the array's location to its errors. */
  withLocation<T>(make: () => T): T {
    try {
      return make();
    } catch (error) {
      throw withContext(error, { store: this.array.context.store.label, path: this.array.path });
    }
  }

  /** Like `withLocation`, for work that is split into time slices. */
  async inTurns<T>(work: Generator<void, T, void>): Promise<T> {
    try {
      return await inTurns(work);
    } catch (error) {
      throw withContext(error, { store: this.array.context.store.label, path: this.array.path });
    }
  }

  /** Whether the elements along the last dimension are the characters of text. */
  get joinsCharacters(): boolean {
    if (this.array.meta.dtype.name !== 'null_terminated_bytes') return false;
    try {
      return this.decoding().joinedCharacters !== undefined;
    } catch {
      return false;
    }
  }

  /** The dimensions after decoding. */
  get dimensions(): readonly string[] {
    return this.joinsCharacters ? this.storedDimensions.slice(0, -1) : this.storedDimensions;
  }

  /** Number of elements along each of `dimensions`. */
  get shape(): readonly number[] {
    return this.joinsCharacters ? this.storedShape.slice(0, -1) : this.storedShape;
  }

  /** The calendar of dates, always set for dates; otherwise the attribute. */
  get calendar(): string | undefined {
    return this.#tryDecoding()?.calendar ?? textAttribute(this.context.attributes, 'calendar');
  }

  get kind(): 'DATA' | 'COORDINATE' {
    return this.context.isCoordinate ? 'COORDINATE' : 'DATA';
  }

  /** Whether this is a one-dimensional coordinate named like its dimension. Labels are looked up in it. */
  get isIndex(): boolean {
    return this.dimensions.length === 1 && this.dimensions[0] === this.name;
  }

  /** The attributes of the variable, without internal ones. */
  get ownAttributes(): JsonObject {
    return visibleAttributes(this.array.meta.attributes);
  }

  /**
   * The attributes except `coordinates` and those that decoding consumed. If decoding fails, it consumed
   * none.
   */
  get attributes(): JsonObject {
    const { attributes } = this.#tryDecoding() ?? { attributes: this.ownAttributes };
    return withoutNames(attributes, (name) => name === 'coordinates');
  }

  /** The attributes that decoding and the search for coordinates consumed. */
  get encoding(): JsonObject {
    const { encoding } = this.#tryDecoding() ?? { encoding: {} };
    const coordinates = this.ownAttributes['coordinates'];
    return coordinates === undefined ? encoding : { ...encoding, coordinates };
  }

  #tryDecoding(): VariableDecoding | undefined {
    try {
      return this.decoding();
    } catch {
      return undefined;
    }
  }
}

/** @returns undefined if a dimension has no name */
export function namedDimensions(array: ZarrArray): string[] | undefined {
  if (isStoredScalar(array)) return [];
  const names = array.dimensionNames.filter((name) => name !== null);
  return names.length === array.shape.length ? names : undefined;
}

export interface Dataset {
  readonly group: ZarrGroup;
  /** Attributes of the group, without internal ones and `coordinates`. */
  readonly attributes: JsonObject;
  /** Size of each dimension, in the order of first use by variables. */
  readonly sizes: ReadonlyMap<string, number>;
  /**
   * Variables by name, in the order in which the arrays were found, followed by those inherited from parent
   * groups. An array that is not a variable has an error instead.
   */
  readonly variables: ReadonlyMap<string, Variable | ZarrError>;
  /** Paths of the child groups, in code point order. */
  readonly groups: readonly string[];
}

/** The index of a dimension: the coordinate in which labels are looked up. */
export function indexOf({ variables }: Dataset, dimension: string): Variable | undefined {
  const variable = variables.get(dimension);
  return isVariable(variable) && variable.isIndex ? variable : undefined;
}

/** The dimensions that have an index. */
export function labelled(dataset: Dataset): string[] {
  return [...dataset.sizes.keys()].filter((dimension) => indexOf(dataset, dimension) !== undefined);
}

/** Like `indexOf`. @throws the error of the array with the name of the dimension, if it is not a variable */
export function usableIndexOf(dataset: Dataset, dimension: string): Variable | undefined {
  const entry = dataset.variables.get(dimension);
  if (entry !== undefined && !isVariable(entry)) throw entry;
  return indexOf(dataset, dimension);
}

/** The coordinates whose dimensions are all among these, including scalars. */
export function coordinatesAlong(dataset: Dataset, dimensions: readonly string[]): Variable[] {
  return coordinatesOf(dataset).filter((variable) =>
    variable.dimensions.every((name) => dimensions.includes(name)),
  );
}

const coordinates = new WeakMap<Dataset, readonly Variable[]>();

/** All coordinates, found once: a dataset may have thousands of variables. */
function coordinatesOf(dataset: Dataset): readonly Variable[] {
  const known = coordinates.get(dataset);
  if (known !== undefined) return known;
  const found = [...dataset.variables.values()]
    .filter(isVariable)
    .filter(({ kind }) => kind === 'COORDINATE');
  coordinates.set(dataset, found);
  return found;
}

/** The variable with the cell boundaries of this one (CF, sections 7.1 and 7.4). */
export function boundsVariable({ variables }: Dataset, { name }: Variable): Variable | undefined {
  return [...variables.values()].filter(isVariable).find((variable) => variable.context.boundsOf === name);
}

export function isVariable(entry: Variable | ZarrError | undefined): entry is Variable {
  return entry !== undefined && !(entry instanceof Error);
}
