/**
 * Results of introspection, which the schema alone determines. Executing one takes up to 0.1 s for a large schema, so
 * each is executed once for each schema and document, and kept compressed.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type ExecutionResult,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { JsonText } from '../transport/json/json-text.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

interface Kept {
  /** The members of `data`: JSON text, compressed. */
  readonly members: readonly (readonly [name: string, compressed: Buffer])[];
}

export interface Introspections {
  /** Whether the document has been executed, and its result is kept. */
  has(text: string): boolean;
  /** @returns undefined if the document has not been executed yet, or its result is too long to be kept */
  find(text: string): Promise<ExecutionResult | undefined>;
  keep(text: string, result: ExecutionResult): Promise<void>;
}

/** Results of all schemas by key. */
export type IntrospectionResults = LRUCache<string, Kept>;

/** @param maxBytes memory for all results, in bytes */
export function createIntrospectionResults(maxBytes: number): IntrospectionResults {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ members }, key) =>
      members.reduce((sum, [, { length }]) => sum + length, 2 * key.length),
  });
}

/** @param prefix the start of the keys of this schema */
export function createIntrospections(kept: IntrospectionResults, prefix: string): Introspections {
  return {
    has: (text) => kept.has(prefix + text),
    async find(text) {
      const found = kept.get(prefix + text);
      if (found === undefined) return undefined;
      const members = found.members.map(
        async ([name, compressed]) => [name, new JsonText(await decompress(compressed))] as const,
      );
      return { data: Object.fromEntries(await Promise.all(members)) };
    },
    async keep(text, { data, errors }) {
      if (data === null || data === undefined || errors !== undefined) return;
      const members = Object.entries(data).map(
        async ([name, value]) => [name, await compress(JSON.stringify(value))] as const,
      );
      kept.set(prefix + text, { members: await Promise.all(members) });
    },
  };
}

/** Whether the operation queries only the schema. Its result may not depend on variables. */
export function isIntrospection(
  { operation, selectionSet }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> | undefined,
): boolean {
  if (operation !== OperationTypeNode.QUERY || Object.keys(variables ?? {}).length > 0) return false;
  const names = selectionSet.selections.map((selection) =>
    selection.kind === Kind.FIELD && (selection.directives?.length ?? 0) === 0 ? selection.name.value : '',
  );
  return (
    names.includes('__schema') && names.every((name) => ['__schema', '__type', '__typename'].includes(name))
  );
}

/** Approximate number of fields in the result of a complete introspection. */
export function introspectionFields(schema: GraphQLSchema): number {
  let elements = 0;
  for (const type of Object.values(schema.getTypeMap())) {
    elements += 1;
    if (isObjectType(type) || isInterfaceType(type))
      for (const { args } of Object.values(type.getFields())) elements += 1 + args.length;
    else if (isInputObjectType(type)) elements += Object.keys(type.getFields()).length;
    else if (isEnumType(type)) elements += type.getValues().length;
  }
  return elements * FIELDS_PER_ELEMENT;
}

/** Fields of a type, field, argument or value: name, description, type and others. */
const FIELDS_PER_ELEMENT = 5;
