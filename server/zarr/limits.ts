/** Limits of one read, in bytes and counts. Checked on the plan, before anything is read. */
export interface Limits {
  /** Bytes of one result. */
  readonly maxOutputBytes: number;
  /** Total bytes of the chunks that a read decodes, and of any one of them. */
  readonly maxDecodedBytes: number;
  /** Bytes that are decoded only to be reduced, once per pass. They do not count as decoded bytes. */
  readonly maxReducedBytes: number;
  /** Chunks that a read decodes. */
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
  /** One document of one node, without consolidated metadata in it. */
  readonly maxDocumentBytes: number;
  /** A document that holds consolidated metadata. */
  readonly maxConsolidatedBytes: number;
}

export const defaultMetadataLimits: MetadataLimits = {
  maxDocumentBytes: 16 * 2 ** 20,
  maxConsolidatedBytes: 256 * 2 ** 20,
};

/** Fixed limits on metadata, far above real documents. */
export const metadataBounds = {
  /** Bytes of any JSON text. */
  maxDocumentBytes: 256 * 2 ** 20,
  /** Keys of one JSON object. Growing a larger table takes tens of milliseconds. */
  maxKeys: 2 ** 18,
  /** As in Python. The time to parse an integer grows faster than linearly with its digits. */
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
   * Bytes of one JSON or MessagePack value in an array of objects. In memory, objects take up to a hundred
   * times as much, and each is decoded in one step, which takes some milliseconds at this size.
   */
  maxObjectBytes: 2 ** 20,
  /** Levels of nested shards. */
  maxShardLevels: 8,
  /** Bytes of one shard index. */
  maxIndexBytes: 256 * 2 ** 20,
} as const;
