import type { DatasetFieldsFragment, VariableFieldsFragment, VariableKind } from '../generated/operations.js';
import { parseAttributes } from './info.js';
import type { DataTypeInfo } from './info.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import { parseShape } from '../ndarray/shape.js';
import { rejectMalformed } from '../transport/reject-malformed.js';

export interface DatasetInfo {
  readonly id: string;
  readonly path: string;
  readonly attributes: JsonObject;
  readonly dimensions: readonly { readonly name: string; readonly size: number }[];
  readonly variables: readonly VariableInfo[];
}

export interface VariableInfo<A extends object = JsonObject, N extends string = string> {
  readonly name: string;
  readonly kind: VariableKind;
  readonly dimensions: readonly N[];
  readonly shape: readonly number[];
  /** Data type after decoding. */
  readonly dtype: DataTypeInfo;
  readonly attributes: A;
  readonly units: string | null;
  readonly longName: string | null;
  readonly standardName: string | null;
  /** For times. */
  readonly calendar: string | null;
  readonly flags: readonly FlagInfo[] | null;
}

/** A value with a special meaning (CF flags). */
export interface FlagInfo {
  readonly value: JsonValue;
  /** The relevant bits; undefined if all are. */
  readonly mask: JsonValue;
  readonly meaning: string;
}

/** @throws TransportError BAD_RESPONSE */
export function parseDatasetInfo(dataset: DatasetFieldsFragment): DatasetInfo {
  return rejectMalformed(() => readDatasetInfo(dataset));
}

function readDatasetInfo(dataset: DatasetFieldsFragment): DatasetInfo {
  const { id, path, attributes, dimensions, variables } = dataset;
  return {
    id,
    path,
    attributes: parseAttributes(attributes),
    dimensions: dimensions.map(({ name, size }) => ({ name, size: Number(size) })),
    variables: variables.flatMap((variable) => (variable === null ? [] : [parseVariable(variable)])),
  };
}

function parseVariable({ dimensionNames, ...variable }: VariableFieldsFragment): VariableInfo {
  return {
    ...variable,
    dimensions: dimensionNames,
    shape: parseShape(variable.shape),
    attributes: parseAttributes(variable.attributes),
  };
}
