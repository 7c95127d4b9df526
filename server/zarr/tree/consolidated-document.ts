/** A document that may contain consolidated metadata, with its index, which is created once. */
import type { ConsolidatedScan } from '../metadata/consolidated-scan.js';
import { ConsolidatedIndex, type ConsolidatedText } from './consolidated-index.js';
import { runInTurns, runNow } from './turns.js';

/** Maximum size of texts that are indexed without yielding, in less than a millisecond. */
const SHORT_BYTES = 128 * 1024;

export class ConsolidatedDocument {
  readonly #text: ConsolidatedText;
  #index: Promise<ConsolidatedIndex | undefined> | undefined;

  /** Kept until the index is created. */
  #scan: ConsolidatedScan | undefined;

  /** @param scan of the text, if it is complete already */
  constructor(text: ConsolidatedText, scan?: ConsolidatedScan) {
    this.#text = text;
    this.#scan = scan;
  }

  get bytes(): Uint8Array {
    return this.#text.bytes;
  }

  /**
   * @returns undefined if the document has no consolidated metadata.
   * @throws MetadataError, UnsupportedError
   */
  index(): Promise<ConsolidatedIndex | undefined> {
    return (this.#index ??= this.#make());
  }

  async #make(): Promise<ConsolidatedIndex | undefined> {
    const work = ConsolidatedIndex.make(this.#text, this.#scan);
    this.#scan = undefined;
    return this.#text.bytes.length <= SHORT_BYTES ? runNow(work) : runInTurns(work);
  }
}
