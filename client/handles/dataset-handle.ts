/** Handles for datasets and their variables. */
import { type Connection, requireResult } from '../transport/connection.js';
import { origins } from '../transport/origin.js';
import { parseDatasetInfo, type DatasetInfo, type VariableInfo, joinPath } from '../info/info.js';
import { assertDType, toNames, type DTypeOption } from './dtype-option.js';
import { GatewayError, RequestError } from '../errors.js';
import { DatasetDocument, type NamedDimSelection } from '../generated/operations.js';
import type { JsonObject } from '../json/json.js';
import type { DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';
import {
  toNamedInput,
  toSelectionInput,
  type NamedSelection,
  type Selection,
} from '../selection/selection.js';
import {
  type AnyDataset,
  type AnyVariables,
  type AttributesAt,
  type CoordinatesOf,
  type DatasetType,
  type DimensionAt,
  type DTypeAt,
  type VariablesOf,
  withTypes,
} from './stores.js';
import type { RequestOptions } from '../transport/document.js';

/** A handle for a group as an xarray dataset. Only methods that return a promise send requests. */
export interface DatasetHandle<T = AnyDataset> {
  readonly store: string;
  /** Path of the group. */
  readonly path: string;
  /**
   * Dimensions, variables and attributes of the whole dataset, regardless of `select`.
   * @throws RequestError, TransportError
   */
  info(options?: DatasetInfoOptions): Promise<DatasetInfo>;
  /**
   * Selects a part of the dataset. The selection applies to every variable with the named dimensions.
   * Positions in a second `select` count from the start of the first.
   * @throws InputError BAD_SELECTION
   * @example
   * const tropics = dataset.select({ lat: { between: [-10, 10] } });
   */
  select(selection: NamedSelection<DimensionOf<T>, VariablesOf<T>>): DatasetHandle<T>;
  variable<
    const V extends keyof VariablesOf<T> & string,
    D extends DTypeAt<VariablesOf<T>, V> = DTypeAt<VariablesOf<T>, V>,
  >(
    name: V,
    options?: DTypeOption<D>,
  ): VariableHandle<D, DimensionAt<VariablesOf<T>, V>, AttributesAt<VariablesOf<T>, V>, VariablesOf<T>>;
}

export interface DatasetInfoOptions extends RequestOptions {
  /**
   * Called for each array of the group that is not a variable, for example because its dimensions have no names or a
   * conflicting size. Without it, the first such error is thrown.
   */
  readonly onError?: ((error: GatewayError) => void) | undefined;
}

export type DimensionOf<T> = T extends DatasetType ? T['dimensions'] : string;

export interface VariableOptions extends RequestOptions {
  /** Whether to decode by the CF conventions: missing values, scale and offset, times. @default true */
  readonly decode?: boolean | undefined;
  /** Whether to load the coordinates of the slice. @default true */
  readonly coordinates?: boolean | undefined;
}

/** A handle for a variable of a dataset; `D` is its data type after decoding. */
export interface VariableHandle<
  D extends DTypeName = DTypeName,
  N extends string = string,
  A extends object = JsonObject,
  V extends object = AnyVariables,
> {
  readonly name: string;
  /** Units, names, flags, and the shape in the whole dataset. @throws GatewayError, TransportError */
  info(options?: RequestOptions): Promise<VariableInfo<A, N>>;
  /**
   * Reads decoded values and their coordinates. The selection applies to the selected part of the dataset. Variables
   * requested together with the same options share requests.
   * @throws GatewayError, TransportError, InputError, DataTypeError if the variable does not have the stated data type
   * after decoding
   * @example
   * const slice = await dataset.variable('sst').slice({ time: { at: '2001-03' }, lat: { between: [-10, 10] } });
   * console.log(slice.coordinates?.['lat']?.units);
   */
  slice(
    selection: Selection<N, V> | undefined,
    options: VariableOptions & { readonly decode: false },
  ): Promise<NDArrayUnion<DTypeName>>;
  slice(selection?: Selection<N, V>, options?: VariableOptions): Promise<NDArrayUnion<D, CoordinatesOf<V>>>;
}

interface SelectedDataset {
  readonly store: string;
  readonly path: string;
  readonly selects: readonly (readonly NamedDimSelection[])[];
}

export function createDatasetHandle(connection: Connection, dataset: SelectedDataset): DatasetHandle {
  const { store, path, selects } = dataset;
  const info = async ({ onError, ...call }: DatasetInfoOptions = {}): Promise<DatasetInfo> => {
    const { data, errors } = await connection.queryJson(DatasetDocument, { store, path }, call);
    const [first, ...others] = errors;
    const whole = data?.store?.dataset;
    if (first !== undefined && (!whole || onError === undefined))
      throw new RequestError([first, ...others], data);
    for (const error of errors) onError?.(error);
    return parseDatasetInfo(requireResult(whole, `dataset "${path}" of store "${store}"`));
  };
  const handle = {
    store,
    path,
    info,
    select: (selection: NamedSelection) =>
      createDatasetHandle(connection, {
        store,
        path,
        selects: withSelection(selects, toNamedInput(selection)),
      }),
    variable: (name: string, options?: DTypeOption<DTypeName>) =>
      createVariableHandle(connection, dataset, name, toNames(options?.dtype), info),
  };
  origins.set(handle, { connection, ...dataset });
  return withTypes<DatasetHandle>(handle);
}

/**
 * Merges a selection into the last selection of the list. If both name the same dimension, appends it instead, so that
 * the gateway applies them one after the other.
 */
function withSelection(
  selects: SelectedDataset['selects'],
  cut: readonly NamedDimSelection[],
): SelectedDataset['selects'] {
  const last = selects.at(-1);
  if (last === undefined) return [cut];
  if (last.some(({ dim }) => cut.some((other) => other.dim === dim))) return [...selects, cut];
  return [...selects.slice(0, -1), [...last, ...cut]];
}

function createVariableHandle(
  connection: Connection,
  { store, path, selects }: SelectedDataset,
  name: string,
  expected: readonly DTypeName[] | undefined,
  datasetInfo: (options?: DatasetInfoOptions) => Promise<DatasetInfo>,
): VariableHandle {
  const where = `variable "${name}" of dataset "${path}" in store "${store}"`;
  const handle: VariableHandle = {
    name,
    async info(options) {
      const errors: GatewayError[] = [];
      const { variables } = await datasetInfo({ ...options, onError: (error) => errors.push(error) });
      const variable = variables.find((each) => each.name === name);
      if (variable !== undefined) return variable;
      const own = errors.find((error) => error.path === joinPath(path, name));
      if (own !== undefined) throw own;
      const names = variables.map((each) => each.name).join(', ');
      const available = names === '' ? '' : `; available variables: ${names}`;
      throw new GatewayError(`${where} not found${available}`, { code: 'NOT_FOUND' });
    },
    async slice(selection?: Selection, options: VariableOptions = {}) {
      const { decode = true, coordinates = true } = options;
      const select = toSelectionInput(selection);
      const params = { store, path, selects, name, select, decode, coordinates };
      return assertDType(await connection.variable(params, options), decode ? expected : undefined, where);
    },
  };
  origins.set(handle, { connection, store, path: joinPath(path, name), selects, expected });
  return handle;
}
