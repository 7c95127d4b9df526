/** Mutations as functions. None of them is sent twice. */
import type { Connection } from '../transport/connection.js';
import { found } from '../transport/connection.js';
import { AppendToArrayDocument, ResizeArrayDocument, WriteSliceDocument } from '../generated/operations.js';
import type { ArrayFieldsFragment } from '../generated/operations.js';
import { toValuesInput } from '../ndarray/values-input.js';
import { toSelectionInput } from '../selection/selection.js';
import type { Selection } from '../selection/selection.js';
import type { RequestOptions } from '../transport/document.js';

/** A node by its place. */
export interface NodePlace {
  readonly store: string;
  readonly path: string;
}

export interface ChangeOptions extends RequestOptions {
  /** What `info().version` said: if the node has changed since, nothing is done and the error is CONFLICT. */
  readonly ifVersion?: string | null | undefined;
}

export interface WriteOptions extends ChangeOptions {
  /** Also chunks that hold nothing but the fill value. @default false */
  readonly writeEmptyChunks?: boolean | undefined;
}

export interface AppendOptions extends ChangeOptions {
  /** The dimension that grows. @default 0 */
  readonly axis?: number | undefined;
  /**
   * The length that the axis must have before the append, else CONFLICT. With it, an append whose outcome is unknown can
   * be repeated: if the first attempt succeeded, the repetition changes nothing.
   */
  readonly offset?: number | undefined;
}

export interface WriteReport {
  readonly chunksWritten: number;
  /** Chunks that came to hold nothing but the fill value. */
  readonly chunksDeleted: number;
  /** As stored. */
  readonly bytesWritten: number;
}

export async function writeValues(
  connection: Connection,
  place: NodePlace,
  selection: Selection | undefined,
  values: unknown,
  { writeEmptyChunks = false, ifVersion, ...call }: WriteOptions = {},
): Promise<WriteReport> {
  const select = toSelectionInput(selection);
  const input = { ...place, select, values: toValuesInput(values), writeEmptyChunks, ifVersion };
  const data = await connection.requestJson(WriteSliceDocument, { input }, call);
  const { chunksWritten, chunksDeleted, bytesWritten } = found(data.writeSlice, 'the report of the write');
  return {
    chunksWritten: Number(chunksWritten),
    chunksDeleted: Number(chunksDeleted),
    bytesWritten: Number(bytesWritten),
  };
}

export async function appendValues(
  connection: Connection,
  place: NodePlace,
  values: unknown,
  { axis = 0, offset, ifVersion, ...call }: AppendOptions = {},
): Promise<ArrayFieldsFragment> {
  const input = { ...place, values: toValuesInput(values), axis, offset, ifVersion };
  const data = await connection.requestJson(AppendToArrayDocument, { input }, call);
  return found(data.appendToArray, 'the array that grew');
}

export async function resizeArray(
  connection: Connection,
  place: NodePlace,
  shape: readonly number[],
  { ifVersion, ...call }: ChangeOptions = {},
): Promise<ArrayFieldsFragment> {
  const data = await connection.requestJson(
    ResizeArrayDocument,
    { input: { ...place, shape, ifVersion } },
    call,
  );
  return found(data.resizeArray, 'the array of another shape');
}
