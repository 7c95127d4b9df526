/** Mutations that create nodes and consolidate metadata. */
import { InputError } from '../errors.js';
import { createArrayHandle, type ArrayHandle } from '../handles/array-handle.js';
import { type Connection, requireResult } from '../transport/connection.js';
import {
  ConsolidateMetadataDocument,
  CreateArrayDocument,
  CreateGroupDocument,
  type IfExists,
  type MemoryOrder,
} from '../generated/operations.js';
import { parseGroupInfo, type GroupInfo, joinPath } from '../info/info.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import { toJsonForm } from '../json/json-form.js';
import { isDTypeName } from '../ndarray/layout.js';
import type { DTypeName } from '../ndarray/ndarray.js';
import { createNodeWriter, type NodeWriter } from './node-writer.js';
import type { MessageOptions } from './mutations.js';
import { withTypes } from '../handles/stores.js';

export interface CreateOptions extends MessageOptions {
  /** 2 or 3. @default the format of the nearest parent group, or 3 without one */
  readonly zarrFormat?: number | undefined;
  readonly attributes?: JsonObject | undefined;
  /**
   * Behaviour if the node exists: ERROR fails with ALREADY_EXISTS, KEEP keeps a node of the same kind,
   * format, shape and data type (otherwise CONFLICT), REPLACE deletes it first.
   * @default 'ERROR'
   */
  readonly ifExists?: IfExists | undefined;
}

export interface CreateArrayOptions<T extends JsonValue = JsonValue> extends CreateOptions {
  readonly shape: readonly number[];
  /** A Zarr v3 name (`float32`) or object with `name`, a NumPy type string (`<f4`), or a list of struct fields. */
  readonly dtype: T;
  /** @default chunks of about 1 MiB */
  readonly chunkShape?: readonly number[] | undefined;
  /**
   * Lengths of the chunks of each dimension, instead of `chunkShape`: a length for all chunks, or a list of lengths and of
   * pairs of a length and a number of chunks (format 3 only).
   */
  readonly chunkLengths?:
    readonly (number | readonly (number | readonly [length: number, count: number])[])[] | undefined;
  /** Shape of shards, objects that hold several chunks (format 3 only). @default none */
  readonly shardShape?: readonly number[] | undefined;
  readonly fillValue?: JsonValue | undefined;
  readonly order?: MemoryOrder | undefined;
  /** Format 3: list of codecs; formats 1 and 2: `{ compressor, filters }`. @default zstd; blosc in format 1 */
  readonly codecs?: JsonValue | undefined;
  readonly dimensionNames?: readonly (string | null)[] | undefined;
  /** Separator of the numbers in chunk keys. */
  readonly separator?: '/' | '.' | undefined;
}

/** Mutations of a store or group; paths are relative to it. */
export interface GroupWriter extends NodeWriter {
  /** Creates a group and its missing parents. @throws RequestError READ_ONLY, ALREADY_EXISTS, BAD_INPUT ..., TransportError */
  createGroup(path: string, options?: CreateOptions): Promise<GroupInfo>;
  /**
   * Creates an array.
   * @returns a handle for it.
   * @throws errors from `createGroup`
   * @example
   * const grid = await store.createArray('grid', { shape: [4, 6], dtype: 'float32' });
   * await grid.write({}, 0);
   */
  createArray<const T extends JsonValue>(
    path: string,
    options: CreateArrayOptions<T>,
  ): Promise<ArrayHandle<T extends DTypeName ? T : DTypeName>>;
  /** Rebuilds the consolidated metadata of all nodes below. @throws errors from `createGroup` */
  consolidate(options?: MessageOptions): Promise<GroupInfo>;
}

const keySeparators = new Map([
  ['/', 'SLASH'],
  ['.', 'DOT'],
] as const);

/** @throws InputError for another text, from callers without type checks */
function keySeparatorOf(separator: '/' | '.'): 'SLASH' | 'DOT' {
  const key = keySeparators.get(separator);
  if (key !== undefined) return key;
  throw new InputError('BAD_INPUT', `separator ${JSON.stringify(separator)}: expected "/" or "."`);
}

export function createGroupWriter(connection: Connection, store: string, base: string): GroupWriter {
  async function createArray<const T extends JsonValue>(
    below: string,
    { signal, timeoutMs, ifExists = 'ERROR', separator, ...options }: CreateArrayOptions<T>,
  ) {
    const path = joinPath(base, below);
    const { dtype } = options;
    const fill = options.fillValue === undefined ? {} : { fillValue: toJsonForm(options.fillValue) };
    const key = separator === undefined ? {} : { separator: keySeparatorOf(separator) };
    const input = { ...options, ...fill, ...key, store, path, ifExists };
    const data = await connection.requestJson(CreateArrayDocument, { input }, { signal, timeoutMs });
    requireResult(data.createArray?.array, `array "${path}" of store "${store}"`);
    const expected = typeof dtype === 'string' && isDTypeName(dtype) ? [dtype] : undefined;
    return createArrayHandle<DTypeName, string, JsonObject>(connection, store, path, expected);
  }

  const writer = {
    ...createNodeWriter(connection, { store, path: base }),
    async createGroup(
      below: string,
      { signal, timeoutMs, ifExists = 'ERROR', ...options }: CreateOptions = {},
    ) {
      const path = joinPath(base, below);
      const input = { ...options, store, path, ifExists };
      const data = await connection.requestJson(CreateGroupDocument, { input }, { signal, timeoutMs });
      return parseGroupInfo(
        store,
        requireResult(data.createGroup?.group, `group "${path}" of store "${store}"`),
      );
    },
    createArray,
    async consolidate({ message, ...options }: MessageOptions = {}) {
      const input = { store, path: base, message };
      const data = await connection.requestJson(ConsolidateMetadataDocument, { input }, options);
      return parseGroupInfo(
        store,
        requireResult(data.consolidateMetadata?.group, `group "${base}" of store "${store}"`),
      );
    },
  };
  return withTypes<GroupWriter>(writer);
}
