/** A document that may contain consolidated metadata, with its index, which is created once. */
import { ConsolidatedIndex, type ConsolidatedText } from './consolidated-index.js';
import { runInTurns, runNow } from './turns.js';

/** Maximum size of texts that are indexed without yielding, in less than a millisecond. */
const SHORT_BYTES = 128 * 1024;

export class ConsolidatedDocument {
  readonly #text: ConsolidatedText;
  #index: Promise<ConsolidatedIndex | undefined> | undefined;

  constructor(text: ConsolidatedText) {
    this.#text = text;
  }

  get bytes(): Uint8Array {
    return this.#text.bytes;
  }

  /**
   * @returns undefined if the document has no consolidated metadata. @throws MetadataError, UnsupportedError
   */
  index(): Promise<ConsolidatedIndex | undefined> {
    return (this.#index ??= this.#make());
  }

  async #make(): Promise<ConsolidatedIndex | undefined> {
    const work = ConsolidatedIndex.make(this.#text);
    return this.#text.bytes.length <= SHORT_BYTES ? runNow(work) : runInTurns(work);
  }
}
