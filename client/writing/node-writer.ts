/** Mutations that arrays and groups share. */
import { DeleteNodeDocument, SetAttributesDocument } from '../generated/operations.js';
import { parseAttributes } from '../info/info.js';
import type { JsonObject } from '../json/json.js';
import { type Connection, requireResult } from '../transport/connection.js';
import type { ChangeOptions, NodeLocation } from './mutations.js';

export interface SetAttributesOptions extends ChangeOptions {
  /** Names of attributes to remove. */
  readonly remove?: readonly string[] | undefined;
  /** Whether to replace all attributes instead of merging. @default false */
  readonly replace?: boolean | undefined;
}

export interface DeleteOptions extends ChangeOptions {
  /**
   * Whether to delete the members of a group as well. Otherwise a group with members fails with CONFLICT.
   * @default false
   */
  readonly recursive?: boolean | undefined;
}

export interface NodeWriter {
  /**
   * Merges attributes.
   * @returns all attributes.
   * @throws RequestError, TransportError
   * @example
   * await array.setAttributes({ units: 'degC' }, { remove: ['history'] });
   */
  setAttributes(attributes: JsonObject, options?: SetAttributesOptions): Promise<JsonObject>;
  /**
   * Deletes the node with its chunks and attributes.
   * @throws RequestError NOT_FOUND, CONFLICT, READ_ONLY ..., TransportError
   */
  delete(options?: DeleteOptions): Promise<void>;
}

export function createNodeWriter(connection: Connection, location: NodeLocation): NodeWriter {
  return {
    async setAttributes(attributes, { remove, replace = false, ifVersion, message, ...call } = {}) {
      const input = { ...location, set: attributes, remove, replace, ifVersion, message };
      const data = await connection.requestJson(SetAttributesDocument, { input }, call);
      return parseAttributes(requireResult(data.setAttributes?.node, 'the node').attributes);
    },
    async delete({ recursive = false, ifVersion, message, ...call } = {}) {
      await connection.requestJson(
        DeleteNodeDocument,
        { input: { ...location, recursive, ifVersion, message } },
        call,
      );
    },
  };
}
