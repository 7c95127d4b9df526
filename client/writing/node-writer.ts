/** What can be changed of arrays and groups alike. */
import type { Connection } from '../transport/connection.js';
import { found } from '../transport/connection.js';
import { DeleteNodeDocument, SetAttributesDocument } from '../generated/operations.js';
import { parseAttributes } from '../info/info.js';
import type { JsonObject } from '../json/json.js';
import type { ChangeOptions, NodePlace } from './mutations.js';

export interface SetAttributesOptions extends ChangeOptions {
  /** Attributes to take away. */
  readonly remove?: readonly string[] | undefined;
  /** These are all there shall be, instead of being merged. @default false */
  readonly replace?: boolean | undefined;
}

export interface DeleteOptions extends ChangeOptions {
  /** Also what is in a group; without it a group with members is CONFLICT. @default false */
  readonly recursive?: boolean | undefined;
}

export interface NodeWriter {
  /** Merges attributes; gives them all. @throws RequestError, TransportError */
  setAttributes(attributes: JsonObject, options?: SetAttributesOptions): Promise<JsonObject>;
  /** @throws RequestError NOT_FOUND, CONFLICT, READ_ONLY ..., TransportError */
  delete(options?: DeleteOptions): Promise<void>;
}

export function createNodeWriter(connection: Connection, place: NodePlace): NodeWriter {
  return {
    async setAttributes(attributes, { remove, replace = false, ifVersion, ...call } = {}) {
      const input = { ...place, set: attributes, remove, replace, ifVersion };
      const data = await connection.requestJson(SetAttributesDocument, { input }, call);
      return parseAttributes(found(data.setAttributes, 'the node').attributes);
    },
    async delete({ recursive = false, ifVersion, ...call } = {}) {
      await connection.requestJson(DeleteNodeDocument, { input: { ...place, recursive, ifVersion } }, call);
    },
  };
}
