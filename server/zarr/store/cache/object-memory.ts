/** What a cache remembers of a store's objects, and what follows from it for a read. No I/O. */
import { LRUCache } from 'lru-cache';
import { parentOf } from '../keys.js';
import { resolveRange } from '../range.js';
import type { ByteRange, ReadAnswer, ReadRequest, StoreValue } from '../store.js';
import { createFreshnessFloors, isMetadataKey } from './freshness-floors.js';

export interface ObjectMemoryOptions {
  /** Bytes of objects and parts that are kept; 0: only versions and absence are. */
  readonly maxBytes: number;
  /** How long an answer is trusted without asking, in milliseconds from its question; 0: never. */
  readonly maxAgeMs: number;
  /** Milliseconds, for tests. */
  readonly now: () => number;
}

/** A question that is on its way to the store. */
export interface Question {
  /** The caller's. */
  readonly request: ReadRequest;
  /** What the store is asked. */
  readonly asked: ReadRequest;
  /** The answer to give if the store says 'unchanged', where that is not what the caller asked. */
  readonly kept: StoreValue | undefined;
  /** In milliseconds, for its age. */
  readonly startedAt: number;
  /** Its place in the order of the cache's events: clocks may stand still between two of them. */
  readonly order: number;
  readonly epoch: number;
  /** The event before which no question is trusted for this key: questions on either side of it share no answer. */
  readonly floor: number;
}

export type Recalled = { readonly answer: ReadAnswer } | Question;

export interface ObjectMemory {
  /** Counts the changes that were made by way of this cache: what was asked before one may be out of date after it. */
  epoch(): number;
  /**
   * For each request the answer, or what to ask the store. Metadata documents of one node are trusted together or not at
   * all, so that a new document is never combined with an older one.
   * @param fresh whether nothing may be answered without asking
   */
  recall(requests: readonly ReadRequest[], fresh: boolean): readonly Recalled[];
  /** Remembers what the store said, and tells what that means to the caller. */
  learn(question: Question, said: ReadAnswer): ReadAnswer;
  /** The object of that key was changed, or may be another one than was thought; without a key any may. */
  forget(key?: string): void;
}

interface Known {
  /** undefined: there was no such object. */
  readonly version: string | undefined;
  readonly askedAt: number;
  /** To be compared with floors: the order of its question, or for a document that raised a floor that of the answer. */
  readonly order: number;
}

const maxObjects = 50_000;
/** One part must not push out everything else. */
const maxShare = 8;
/** What an entry takes beside its bytes, roughly. */
const overheadBytes = 300;

export function createObjectMemory({ maxBytes, maxAgeMs, now }: ObjectMemoryOptions): ObjectMemory {
  const known = new LRUCache<string, Known>({ max: maxObjects });
  // Under a version of their own, so that those of older ones are simply not found, and age out.
  const parts = new LRUCache<string, StoreValue>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (part) => part.bytes.length + overheadBytes,
  });
  const floors = createFreshnessFloors();
  let epoch = 0;
  let events = 0;

  function isTrusted(key: string, time: number): boolean {
    const at = known.get(key);
    return at !== undefined && time < at.askedAt + maxAgeMs && at.order >= floors.of(key);
  }

  /** The folders of the nodes whose documents must be asked for again, since one of them must. */
  function nodesToAsk(requests: readonly ReadRequest[], time: number): ReadonlySet<string> {
    const documents = requests.filter(({ key }) => isMetadataKey(key) && !isTrusted(key, time));
    return new Set(documents.map(({ key }) => parentOf(key)));
  }

  /**
   * A first look raises the floor of data, too: it may have been read by metadata from elsewhere (consolidated, or
   * forgotten).
   * @returns the order of what is now known of the document itself
   */
  function raiseFloor({ request: { key }, order }: Question, before: Known | undefined): number {
    const isOld = order < floors.of(key);
    const learnt = ++events;
    floors.raise(key, { data: learnt, metadata: before === undefined ? -Infinity : learnt });
    return isOld ? order : learnt;
  }

  function keptPart(key: string, version: string, range: ByteRange | undefined): StoreValue | undefined {
    const exact = parts.get(partId(key, version, range));
    if (exact !== undefined || range === undefined) return exact;
    const whole = parts.get(partId(key, version, undefined));
    if (whole === undefined) return undefined;
    const { offset, length } = resolveRange(range, whole.bytes.length);
    return { ...whole, bytes: whole.bytes.subarray(offset, offset + length) };
  }

  function keep({ request: { key, range } }: Question, version: string, value: StoreValue): StoreValue {
    if (value.bytes.length + overheadBytes > maxBytes / maxShare) return value;
    // A part of what was read together would hold on to all of it.
    const isPart = value.bytes.length < value.bytes.buffer.byteLength;
    const kept = isPart ? { ...value, bytes: value.bytes.slice() } : value;
    parts.set(partId(key, version, range), kept);
    return kept;
  }

  return {
    epoch: () => epoch,

    recall(requests, fresh) {
      const time = now();
      const order = ++events;
      const askedAgain = fresh ? undefined : nodesToAsk(requests, time);
      return requests.map((request): Recalled => {
        const { key, range, ifMatch, ifNoneMatch } = request;
        const at = known.get(key);
        const isGrouped = askedAgain?.has(parentOf(key)) === true && isMetadataKey(key);
        const mayTrust = !fresh && !isGrouped && isTrusted(key, time);
        const floor = floors.of(key);
        const question = { request, asked: request, kept: undefined, startedAt: time, order, epoch, floor };
        if (at === undefined || (ifMatch !== undefined && ifMatch !== at.version)) return question;
        if (at.version === undefined) return mayTrust ? { answer: undefined } : question;
        if (mayTrust && ifNoneMatch === at.version) return { answer: 'unchanged' };
        const kept = keptPart(key, at.version, range);
        if (kept === undefined) return question;
        // Bytes of the very version that is demanded fit the others of that version, however old they are.
        const isDemanded = ifMatch !== undefined && ifNoneMatch === undefined && !fresh;
        if (mayTrust || isDemanded) return { answer: kept };
        return { ...question, asked: { ...request, ifNoneMatch: at.version }, kept };
      });
    },

    learn(question, said) {
      const { request, asked, kept, startedAt } = question;
      const version = said === 'unchanged' ? asked.ifNoneMatch : said?.version;
      const isUnversioned = said !== undefined && version === undefined;
      const before = known.get(request.key);
      const isNews = isMetadataKey(request.key) && (isUnversioned || version !== before?.version);
      const order = isNews ? raiseFloor(question, before) : question.order;
      // What was asked earlier may be older, though it arrives later.
      if (question.epoch === epoch && (before === undefined || before.askedAt <= startedAt)) {
        if (isUnversioned) known.delete(request.key);
        else known.set(request.key, { version, askedAt: startedAt, order });
      }
      if (said === undefined) return undefined;
      if (version !== undefined && version === request.ifNoneMatch) return 'unchanged';
      if (said === 'unchanged') return kept ?? 'unchanged';
      return version === undefined ? said : keep(question, version, said);
    },

    forget(key) {
      epoch++;
      if (key === undefined) known.clear();
      else known.delete(key);
      if (key !== undefined && isMetadataKey(key)) floors.raise(key, { data: ++events, metadata: events });
    },
  };
}

function partId(key: string, version: string, range: ByteRange | undefined): string {
  // No key holds a NUL.
  const part =
    range === undefined ? '' : 'suffix' in range ? `-${range.suffix}` : `${range.offset}+${range.length}`;
  return `${key}\0${part}\0${version}`;
}
