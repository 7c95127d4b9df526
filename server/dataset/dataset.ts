/** A group as a dataset: variables that share named dimensions. A plain value; what it is made of has been read. */
import type { JsonObject, ZarrError, ZarrGroup } from '../zarr/index.js';
import type { Variable } from './variable.js';

export interface Dataset {
  readonly group: ZarrGroup;
  /** The group's, without bookkeeping. */
  readonly attributes: JsonObject;
  /** Elements along each dimension, in the order in which variables show them. */
  readonly sizes: ReadonlyMap<string, number>;
  /** By name, in code point order; those taken over from groups above at the end. An error stands for a variable that is none. */
  readonly variables: ReadonlyMap<string, Variable | ZarrError>;
  /** Paths of the groups in this one, in code point order. */
  readonly groups: readonly string[];
}

/** The coordinate that labels of a dimension are looked up in. */
export function indexOf({ variables }: Dataset, dimension: string): Variable | undefined {
  const variable = variables.get(dimension);
  return isVariable(variable) && variable.isIndex ? variable : undefined;
}

/** As `indexOf`. @throws why the array of the dimension's name is no variable */
export function usableIndexOf(dataset: Dataset, dimension: string): Variable | undefined {
  const entry = dataset.variables.get(dimension);
  if (entry !== undefined && !isVariable(entry)) throw entry;
  return indexOf(dataset, dimension);
}

/** The coordinates that run along nothing but these dimensions; scalars too. */
export function coordinatesAlong({ variables }: Dataset, dimensions: readonly string[]): Variable[] {
  return [...variables.values()]
    .filter(isVariable)
    .filter(
      (variable) =>
        variable.kind === 'COORDINATE' && variable.dimensions.every((name) => dimensions.includes(name)),
    );
}

/** The variable that holds the cell boundaries of this one (CF, sections 7.1 and 7.4). */
export function boundsOf({ variables }: Dataset, { name }: Variable): Variable | undefined {
  return [...variables.values()].filter(isVariable).find((variable) => variable.context.boundsOf === name);
}

export function isVariable(entry: Variable | ZarrError | undefined): entry is Variable {
  return entry !== undefined && !(entry instanceof Error);
}
