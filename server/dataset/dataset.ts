/** A group as a dataset: variables that share named dimensions. Immutable; the metadata has been read. */
import type { JsonObject, ZarrError, ZarrGroup } from '../zarr/index.js';
import type { Variable } from './variable.js';

export interface Dataset {
  readonly group: ZarrGroup;
  /** Attributes of the group, without internal ones. */
  readonly attributes: JsonObject;
  /** Size of each dimension, in the order of first use by variables. */
  readonly sizes: ReadonlyMap<string, number>;
  /**
   * By name, in code point order, followed by those inherited from parent groups. An error for an array that
   * is not a variable.
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

/** Like `indexOf`. @throws the error of the array with the name of the dimension, if it is not a variable */
export function usableIndexOf(dataset: Dataset, dimension: string): Variable | undefined {
  const entry = dataset.variables.get(dimension);
  if (entry !== undefined && !isVariable(entry)) throw entry;
  return indexOf(dataset, dimension);
}

/** The coordinates whose dimensions are all among these, including scalars. */
export function coordinatesAlong({ variables }: Dataset, dimensions: readonly string[]): Variable[] {
  return [...variables.values()]
    .filter(isVariable)
    .filter(
      (variable) =>
        variable.kind === 'COORDINATE' && variable.dimensions.every((name) => dimensions.includes(name)),
    );
}

/** The variable with the cell boundaries of this one (CF, sections 7.1 and 7.4). */
export function boundsOf({ variables }: Dataset, { name }: Variable): Variable | undefined {
  return [...variables.values()].filter(isVariable).find((variable) => variable.context.boundsOf === name);
}

export function isVariable(entry: Variable | ZarrError | undefined): entry is Variable {
  return entry !== undefined && !(entry instanceof Error);
}
