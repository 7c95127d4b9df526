/**
 * Limits of one read or write, in bytes and counts. They are checked against the plan before any chunk is
 * read or written, and sizes that only the data shows (variable-length values) while decoding and encoding.
 */
export interface Limits {
  /** Maximum size of one result, in bytes. */
  readonly maxOutputBytes: number;
  /** Maximum decoded size, in bytes, of all chunks of a read together, and of any single chunk. */
  readonly maxDecodedBytes: number;
  /**
   * Maximum decoded size, in bytes, of chunks that are only reduced; each pass counts. They do not count towards
   * `maxDecodedBytes`.
   */
  readonly maxReducedBytes: number;
  /** Maximum number of operations on elements; see `PlanCost.work`. */
  readonly maxWork: number;
  /** Maximum number of chunks of a read. */
  readonly maxChunks: number;
}

/** Defaults for programs that use the engine directly; a gateway sets lower ones. */
export const defaultLimits: Limits = {
  maxOutputBytes: 2 ** 32,
  maxDecodedBytes: 2 ** 36,
  maxReducedBytes: 2 ** 40,
  maxWork: 10 ** 14,
  maxChunks: 10_000_000,
};

/** Limits on metadata documents, in bytes of their text. */
export interface MetadataLimits {
  /** Maximum size of the metadata document of a single node, without consolidated metadata. */
  readonly maxDocumentBytes: number;
  /** Maximum size of a document with consolidated metadata. */
  readonly maxConsolidatedBytes: number;
}

export const defaultMetadataLimits: MetadataLimits = {
  maxDocumentBytes: 16 * 2 ** 20,
  maxConsolidatedBytes: 256 * 2 ** 20,
};

/** Fixed limits on metadata, JSON and shard indexes, far higher than real stores need. */
export const metadataBounds = {
  /** Maximum size of a JSON text, in bytes, unless the reader sets another one. */
  maxDocumentBytes: 256 * 2 ** 20,
  /** Maximum number of keys of one JSON object. Growing a larger hash table takes tens of milliseconds. */
  maxKeys: 2 ** 18,
  /**
   * Maximum number of digits of an integer, as in Python. The time to parse an integer grows faster than
   * linearly with its digits.
   */
  maxIntegerDigits: 4300,
  /** Maximum nesting of JSON. */
  maxDepth: 64,
  maxRank: 64,
  /** Maximum number of JSON values in an array's document, without its attributes. */
  maxStorageValues: 32_768,
  /** Maximum total length of the text among these values, in characters. */
  maxStorageText: 2 ** 20,
  /** Maximum number of codecs in one chain. */
  maxCodecs: 64,
  /** Maximum number of fields of one structured type, including nested ones. */
  maxFields: 4096,
  /** Maximum size of one element, in bytes. */
  maxItemBytes: 16 * 2 ** 20,
  /**
   * Maximum size, in bytes, of one JSON or MessagePack value in an array of objects. An object takes up to a
   * hundred times as much memory. It is decoded in one step, which takes a few milliseconds at this size.
   */
  maxObjectBytes: 2 ** 20,
  /** Maximum number of levels of nested shards. */
  maxShardLevels: 8,
  /** Maximum size of one shard index, in bytes. */
  maxIndexBytes: 256 * 2 ** 20,
} as const;
