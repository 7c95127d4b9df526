/** Limits of one read, in bytes and counts. Checked on the plan, before anything is read. */
export interface Limits {
  /** Bytes of one result. */
  readonly maxOutputBytes: number;
  /** Total decoded bytes of the chunks of a read, and of any single chunk. */
  readonly maxDecodedBytes: number;
  /** Decoded bytes of chunks that are only reduced; each pass counts. They do not count as decoded bytes. */
  readonly maxReducedBytes: number;
  /** Number of chunks of a read. */
  readonly maxChunks: number;
}

/** Defaults for programs that use the engine directly; a gateway sets lower ones. */
export const defaultLimits: Limits = {
  maxOutputBytes: 2 ** 32,
  maxDecodedBytes: 2 ** 36,
  maxReducedBytes: 2 ** 40,
  maxChunks: 10_000_000,
};

/** Limits on metadata documents, in bytes of their text. */
export interface MetadataLimits {
  /** Metadata document of a single node, without consolidated metadata. */
  readonly maxDocumentBytes: number;
  /** A document with consolidated metadata. */
  readonly maxConsolidatedBytes: number;
}

export const defaultMetadataLimits: MetadataLimits = {
  maxDocumentBytes: 16 * 2 ** 20,
  maxConsolidatedBytes: 256 * 2 ** 20,
};

/** Fixed limits on metadata, far above the size of real documents. */
export const metadataBounds = {
  /** Bytes of any JSON text. */
  maxDocumentBytes: 256 * 2 ** 20,
  /** Keys of one JSON object. Growing a larger hash table takes tens of milliseconds. */
  maxKeys: 2 ** 18,
  /**
   * Digits of an integer, as in Python. The time to parse an integer grows faster than linearly with its
   * digits.
   */
  maxIntegerDigits: 4300,
  /** Nesting of JSON. */
  maxDepth: 64,
  maxRank: 64,
  /** JSON values of an array's document, without its attributes. */
  maxStorageValues: 32_768,
  /** Characters of text among these values. */
  maxStorageText: 2 ** 20,
  /** Codecs of one chain. */
  maxCodecs: 64,
  /** Fields of one structured type, including nested ones. */
  maxFields: 4096,
  /** Bytes of one element. */
  maxItemBytes: 16 * 2 ** 20,
  /**
   * Bytes of one JSON or MessagePack value in an array of objects. In memory, an object takes up to a
   * hundred times as much. It is decoded in one step, which takes a few milliseconds at this size.
   */
  maxObjectBytes: 2 ** 20,
  /** Levels of nested shards. */
  maxShardLevels: 8,
  /** Bytes of one shard index. */
  maxIndexBytes: 256 * 2 ** 20,
} as const;
