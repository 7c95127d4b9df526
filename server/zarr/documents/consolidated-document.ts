/** A document that may contain consolidated metadata, with its index, which is created once. */
import type { ConsolidatedScan } from '../../format/metadata/consolidated.js';
import { ConsolidatedIndex, type ConsolidatedText } from './consolidated-index.js';
import { inTurns, runToEnd } from '../../core/turns.js';

/** Maximum size, in bytes, of texts that are indexed without yielding, in less than a millisecond. */
const SHORT_BYTES = 128 * 1024;

export class ConsolidatedDocument {
  readonly #text: ConsolidatedText;
  #index: Promise<ConsolidatedIndex | undefined> | undefined;

  /** The scan of the text, kept until the index is created. */
  #scan: ConsolidatedScan | undefined;

  /** @param scan scan of the text, if it is already complete */
  constructor(text: ConsolidatedText, scan?: ConsolidatedScan) {
    this.#text = text;
    this.#scan = scan;
  }

  get bytes(): Uint8Array {
    return this.#text.bytes;
  }

  /**
   * @returns undefined if the document has no consolidated metadata
   * @throws MetadataError, UnsupportedError or LimitError if it cannot be used
   */
  index(): Promise<ConsolidatedIndex | undefined> {
    return (this.#index ??= this.#make());
  }

  async #make(): Promise<ConsolidatedIndex | undefined> {
    const work = ConsolidatedIndex.make(this.#text, this.#scan);
    this.#scan = undefined;
    return this.#text.bytes.length <= SHORT_BYTES ? runToEnd(work) : inTurns(work);
  }
}
