/** Bounds on what one read may take. Bytes and counts; checked on the plan, before anything is read. */
export interface Limits {
  /** Bytes of one result. */
  readonly maxOutputBytes: number;
  /** Bytes of all chunks that a read decodes, and of any one of them. */
  readonly maxDecodedBytes: number;
  /** Bytes that are decoded only to be reduced, once for each pass over them. They do not count as decoded bytes. */
  readonly maxReducedBytes: number;
  /** Chunks that a read decodes. */
  readonly maxChunks: number;
}

/** For programs that use the engine on their own; a gateway sets narrower ones. */
export const defaultLimits: Limits = {
  maxOutputBytes: 2 ** 32,
  maxDecodedBytes: 2 ** 36,
  maxReducedBytes: 2 ** 40,
  maxChunks: 10_000_000,
};

/** Bounds on metadata documents, in bytes of their text. */
export interface MetadataLimits {
  /** One document of one node. Consolidated metadata inside it does not count. */
  readonly maxDocumentBytes: number;
  /** A document that holds consolidated metadata. */
  readonly maxConsolidatedBytes: number;
}

export const defaultMetadataLimits: MetadataLimits = {
  maxDocumentBytes: 16 * 2 ** 20,
  maxConsolidatedBytes: 256 * 2 ** 20,
};

/** Bounds on metadata, fixed: no honest document comes near. */
export const metadataBounds = {
  /** Bytes of any JSON text. */
  maxDocumentBytes: 256 * 2 ** 20,
  /** Keys of one JSON object. A table of more takes tens of milliseconds whenever it grows. */
  maxKeys: 2 ** 18,
  /** Python reads no longer integers either. Twice as many digits take more than twice as long. */
  maxIntegerDigits: 4300,
  /** Nesting of JSON. */
  maxDepth: 64,
  maxRank: 64,
  /** JSON values of an array's document, beside its attributes. */
  maxStorageValues: 32_768,
  /** Characters of text among them. */
  maxStorageText: 2 ** 20,
  /** Codecs of one chain, each of which every chunk passes through. */
  maxCodecs: 64,
  /** Fields of one structured type, with those of the structs in it. */
  maxFields: 4096,
  /** Bytes of one element. */
  maxItemBytes: 16 * 2 ** 20,
  /**
   * Bytes of one JSON or MessagePack value within an array of objects. Objects in memory take up to a hundred times as
   * much, and are made one element at a time: this is some milliseconds of work.
   */
  maxObjectBytes: 2 ** 20,
  /** Shards within shards. */
  maxShardLevels: 8,
  /** Bytes of one shard index. */
  maxIndexBytes: 256 * 2 ** 20,
} as const;
