/** Mutations of arrays and groups. They are never retried. */
import {
  AppendToArrayDocument,
  type ArrayFieldsFragment,
  ResizeArrayDocument,
  WriteSliceDocument,
} from '../generated/operations.js';
import { toValuesInput } from '../ndarray/values-input.js';
import { type Selection, toSelectionInput } from '../selection/selection.js';
import { type Connection, requireResult } from '../transport/connection.js';
import type { RequestOptions } from '../transport/document.js';

/** Store and path of a node. */
export interface NodeLocation {
  readonly store: string;
  readonly path: string;
}

export interface MessageOptions extends RequestOptions {
  /** Message of the commit, for stores that keep their history; UNSUPPORTED for others. @default the name of the change */
  readonly message?: string | undefined;
}

export interface ChangeOptions extends MessageOptions {
  /**
   * The `version` of `info()`. If the node has changed since that version, nothing is written and the call
   * fails with CONFLICT.
   */
  readonly ifVersion?: string | null | undefined;
}

export interface WriteOptions extends ChangeOptions {
  /** Whether to write chunks with only the fill value. @default false */
  readonly writeEmptyChunks?: boolean | undefined;
}

export interface AppendOptions extends ChangeOptions {
  /** The dimension to extend. @default 0 */
  readonly axis?: number | undefined;
  /**
   * Required length of the axis before the append, otherwise CONFLICT. With `offset`, an append whose outcome is
   * unknown can be repeated safely.
   */
  readonly offset?: number | undefined;
}

export interface WriteReport {
  readonly chunksWritten: number;
  /** Number of chunks removed because they contained only the fill value. */
  readonly chunksDeleted: number;
  /** Total compressed size of the written objects in bytes. */
  readonly bytesWritten: number;
}

export async function writeValues(
  connection: Connection,
  location: NodeLocation,
  selection: Selection | undefined,
  values: unknown,
  { writeEmptyChunks = false, ifVersion, message, ...call }: WriteOptions = {},
): Promise<WriteReport> {
  const select = toSelectionInput(selection);
  const input = { ...location, select, values: toValuesInput(values), writeEmptyChunks, ifVersion, message };
  const data = await connection.requestJson(WriteSliceDocument, { input }, call);
  const { chunksWritten, chunksDeleted, bytesWritten } = requireResult(
    data.writeSlice,
    'the report of the write',
  );
  return {
    chunksWritten: Number(chunksWritten),
    chunksDeleted: Number(chunksDeleted),
    bytesWritten: Number(bytesWritten),
  };
}

export async function appendValues(
  connection: Connection,
  location: NodeLocation,
  values: unknown,
  { axis = 0, offset, ifVersion, message, ...call }: AppendOptions = {},
): Promise<ArrayFieldsFragment> {
  const input = { ...location, values: toValuesInput(values), axis, offset, ifVersion, message };
  const data = await connection.requestJson(AppendToArrayDocument, { input }, call);
  return requireResult(data.appendToArray?.array, 'the array after the append');
}

export async function resizeArray(
  connection: Connection,
  location: NodeLocation,
  shape: readonly number[],
  { ifVersion, message, ...call }: ChangeOptions = {},
): Promise<ArrayFieldsFragment> {
  const data = await connection.requestJson(
    ResizeArrayDocument,
    { input: { ...location, shape, ifVersion, message } },
    call,
  );
  return requireResult(data.resizeArray?.array, 'the resized array');
}
