/**
 * The current plan of a combined store. It is checked against the members as often as the store is asked and the last
 * check is old enough, at most for a tenth of the time.
 */
import { AbortedError, isZarrError, MetadataError, type ReadOptions, type KeyStore } from '../zarr/index.js';
import { concatenate, merge } from './combine-arrays.js';
import { type CombinedMember, isSameState, type MemberEngine } from './member.js';
import { MAX_ARRAYS, type MemberFacts, readFacts } from './member-facts.js';
import { type CombinedPlan, planOf } from './plan.js';

export interface CombineRule {
  /** The dimension along which the members follow each other; undefined for a merge of variables. */
  readonly along?: string | undefined;
  /**
   * Whether the values of variables that must be equal, such as coordinates along other dimensions, are compared, and
   * not only their metadata.
   * @default true
   */
  readonly comparesValues?: boolean | undefined;
}

export interface CombinedStateOptions {
  readonly rule: CombineRule;
  /** The members now. A member that is the same store as before is read again only if it has changed. */
  readonly members: () => Promise<readonly CombinedMember[]> | readonly CombinedMember[];
  /** @default see `DEFAULT_AGE_MS` and `REMOTE_AGE_MS` */
  readonly maxAgeMs: number | undefined;
  readonly engine: MemberEngine;
}

const DEFAULT_AGE_MS = 1000;
/** Comparing remote members takes several requests for each, which cost money. */
const REMOTE_AGE_MS = 60_000;
/** Members that are opened or checked together. */
const TOGETHER = 16;
/** A check takes at most this part of the time. */
const REST_FACTOR = 10;
/** A check that takes less is repeated after the maximum age. */
const QUICK_MS = 50;
/** Time for which a failure is remembered, so that requests do not repeat the work at once. */
const FAILURE_MS = 1000;
/** Time limit of opening all members. */
const PLAN_MS = 600_000;

export class CombinedState {
  readonly #options: CombinedStateOptions;
  #plan: CombinedPlan | undefined;
  #facts = new Map<KeyStore, MemberFacts>();
  #goodUntil = 0;
  #isNear = false;
  /** Duration of the last check that found no change. */
  #checkMs = 0;
  #running: Promise<CombinedPlan> | undefined;
  #failure: { readonly error: unknown; readonly until: number } | undefined;
  readonly #end = new AbortController();

  constructor(options: CombinedStateOptions) {
    this.#options = options;
  }

  /** @throws MetadataError for members that cannot be combined; store errors; AbortedError if the signal fires */
  async current({ signal, fresh = false }: ReadOptions = {}): Promise<CombinedPlan> {
    const now = performance.now();
    if (this.#plan !== undefined && !fresh && now < this.#goodUntil) return this.#plan;
    if (this.#failure !== undefined && now < this.#failure.until) throw this.#failure.error;
    this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
    });
    return unlessAborted(this.#running, signal);
  }

  /** The last plan, which may no longer be current. */
  get known(): CombinedPlan | undefined {
    return this.#plan;
  }

  /** Whether all members are on this machine, as far as is known. */
  get isNear(): boolean {
    return this.#isNear;
  }

  /** The members are compared before the plan is used again. */
  outdate(): void {
    this.#goodUntil = 0;
  }

  close(): void {
    this.#end.abort();
  }

  async #refresh(): Promise<CombinedPlan> {
    const start = performance.now();
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(PLAN_MS)]);
    try {
      const before = this.#plan;
      this.#plan = await this.#checked(signal);
      this.#failure = undefined;
      const now = performance.now();
      // Opening members takes much longer than comparing them.
      if (this.#plan === before) this.#checkMs = now - start;
      const { maxAgeMs = this.#isNear ? DEFAULT_AGE_MS : REMOTE_AGE_MS } = this.#options;
      const rest = maxAgeMs > 0 && this.#checkMs > QUICK_MS ? REST_FACTOR * this.#checkMs : 0;
      this.#goodUntil = now + Math.max(maxAgeMs, rest);
      return this.#plan;
    } catch (error) {
      if (!isZarrError(error, 'ABORTED')) this.#failure = { error, until: performance.now() + FAILURE_MS };
      throw error;
    }
  }

  async #checked(signal: AbortSignal): Promise<CombinedPlan> {
    const { members: list, rule, engine } = this.#options;
    const members = await list();
    this.#isNear = members.every(({ store }) => store.isLocal || !store.isDurable);
    if (members.length === 0) throw new MetadataError('the combined store has no members');
    const left = { arrays: MAX_ARRAYS };
    const texts = new Map<string, string>();
    const intern = (text: string): string => {
      const known = texts.get(text);
      if (known === undefined) texts.set(text, text);
      return known ?? text;
    };
    const facts: MemberFacts[] = [];
    for (let at = 0; at < members.length; at += TOGETHER) {
      const found = await Promise.all(
        members.slice(at, at + TOGETHER).map(async (member) => {
          const known = this.#facts.get(member.store);
          if (
            known?.member.name === member.name &&
            (await isSameState(member.store, known.state, { signal }))
          )
            return known;
          return readFacts(member, { along: rule.along, engine, signal, intern, left });
        }),
      );
      facts.push(...found);
    }
    this.#facts = new Map(facts.map((one) => [one.member.store, one]));
    if (this.#plan !== undefined && isPlanOf(this.#plan, facts)) return this.#plan;
    const options = { comparesValues: rule.comparesValues ?? true, signal };
    const arrays =
      rule.along === undefined ? await merge(facts, options) : await concatenate(facts, rule.along, options);
    return planOf(arrays);
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(new AbortedError('the request was cancelled', { cause: signal.reason }));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function isPlanOf({ members }: CombinedPlan, facts: readonly MemberFacts[]): boolean {
  const planned = new Set(members);
  return planned.size === facts.length && facts.every((one) => planned.has(one));
}
