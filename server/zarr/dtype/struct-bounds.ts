/** Bounds of structured types: how deep they nest, and how many fields they have with those of the structs in them. */
import { LimitError, MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';

/** Where a type lies within structured types. */
export interface Nesting {
  readonly depth: number;
  /** Fields so far, counted over the whole type. */
  readonly counted: { fields: number };
}

export function outermost(): Nesting {
  return { depth: 0, counted: { fields: 0 } };
}

/**
 * @param fields of this struct alone
 * @returns for the types of its fields
 * @throws MetadataError, LimitError
 */
export function withinStruct({ depth, counted }: Nesting, fields: number, at: string): Nesting {
  const { maxDepth, maxFields } = metadataBounds;
  if (depth >= maxDepth) throw new MetadataError(`${at} nests structured types too deep`);
  counted.fields += fields;
  if (counted.fields > maxFields)
    throw new LimitError(`${at} is a structured type of more than ${maxFields} fields`, {
      excess: [{ limit: 'fields', allowed: maxFields, needed: counted.fields }],
    });
  return { depth: depth + 1, counted };
}
