/** Limits of structured types: nesting depth, and number of fields including nested ones. */
import { LimitError, MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';

/** The position of a data type within structured types. */
export interface Nesting {
  readonly depth: number;
  /** Number of fields so far, over the whole data type. */
  readonly counted: { fields: number };
}

export function outermost(): Nesting {
  return { depth: 0, counted: { fields: 0 } };
}

/**
 * @param fields number of fields of this struct
 * @returns the nesting of its fields' data types
 * @throws MetadataError, LimitError
 */
export function withinStruct({ depth, counted }: Nesting, fields: number, at: string): Nesting {
  const { maxDepth, maxFields } = metadataBounds;
  if (depth >= maxDepth) throw new MetadataError(`${at} nests structs too deeply`);
  counted.fields += fields;
  if (counted.fields > maxFields)
    throw new LimitError(`${at} has more than ${maxFields} fields`, {
      excess: [{ limit: 'fields', allowed: maxFields, needed: counted.fields }],
    });
  return { depth: depth + 1, counted };
}
