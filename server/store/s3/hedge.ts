/**
 * Hedged requests: if the response to a read takes much longer than usual, the read is sent a second time, and the
 * first response is used.
 */
import { defined } from '../../../wire/guards.js';
import { linkSignals } from '../deadline.js';
import { TransientFailure, type StoreExchange, type Sent } from '../http/exchange.js';
import type { RequestPermits } from '../request-permits.js';

interface HedgingOptions {
  /** Permits of the store. A second request is sent only if a permit is free. */
  readonly permits: Pick<RequestPermits, 'tryUse'>;
  /** Called for each second request. */
  readonly onHedge?: (() => void) | undefined;
}

/** Number of responses whose latencies are kept. */
const MAX_LATENCIES = 128;
/** Number of responses after which the delay is computed again. */
const UPDATE_EVERY = 32;
const MIN_DELAY_MS = 50;
/** Number of responses that allow one second request, so that there are at most 5 % more requests. */
const COST = 20;
/** Maximum number of second requests that can be saved up and sent at once. */
const MAX_SAVED = 10;

/** Races two attempts until the head of a response has arrived, so that large bodies are not sent twice. */
type Hedge = (exchange: StoreExchange) => StoreExchange;

/**
 * A second request is sent after twice the 95th percentile of recent latencies. None is sent after a transient
 * failure until 20 responses have arrived, because more requests would slow down a busy server.
 */
export function createHedge({ permits, onHedge }: HedgingOptions): Hedge {
  const latencies = new Float64Array(MAX_LATENCIES);
  let responses = 0;
  let credit = 0;
  let delayMs: number | undefined;

  function succeeded(ms: number): void {
    latencies[responses++ % MAX_LATENCIES] = ms;
    credit = Math.min(MAX_SAVED * COST, credit + 1);
    if (responses % UPDATE_EVERY !== 0) return;
    const sorted = latencies.slice(0, responses).sort();
    delayMs = Math.max(MIN_DELAY_MS, 2 * defined(sorted[Math.floor(0.95 * sorted.length)]));
  }

  function attempt(send: Send, caller: AbortSignal | undefined): Attempt {
    const link = linkSignals(caller);
    const sent = send(link.signal).then(
      (response): Sent => ({
        ...response,
        discard() {
          response.discard();
          link.unlink();
        },
      }),
      (error: unknown) => {
        link.unlink();
        if (error instanceof TransientFailure) credit = 0;
        throw error;
      },
    );
    return {
      sent,
      cancel() {
        link.abort();
        // A response that has arrived in the meantime keeps its connection until it is discarded.
        sent.then(
          (response) => response.discard(),
          () => {},
        );
      },
    };
  }

  async function hedged(send: Send, signal: AbortSignal | undefined): Promise<Sent> {
    const first = attempt(send, signal);
    if (delayMs === undefined) return first.sent;
    for (let ms = delayMs; await isSlower(first.sent, ms); ms = MIN_DELAY_MS) {
      if (credit < COST) continue;
      const race = permits.tryUse(() => {
        credit -= COST;
        onHedge?.();
        return firstSuccess(first, attempt(send, signal));
      });
      if (race !== undefined) return race;
    }
    return first.sent;
  }

  return (exchange) => ({
    async send(method, address, headers, signal) {
      const start = performance.now();
      const sent = await hedged((linked) => exchange.send(method, address, headers, linked), signal);
      // The time is measured from the first request, because the time of the second one alone would
      // underestimate the latency.
      succeeded(performance.now() - start);
      return sent;
    },
  });
}

type Send = (signal: AbortSignal) => Promise<Sent>;

interface Attempt {
  readonly sent: Promise<Sent>;
  cancel(): void;
}

/** @throws the error of `first` if both fail */
async function firstSuccess(first: Attempt, second: Attempt): Promise<Sent> {
  const winner = await Promise.any(
    [first, second].map(async (attempt) => {
      await attempt.sent;
      return attempt;
    }),
  ).catch(() => first);
  (winner === first ? second : first).cancel();
  return winner.sent;
}

/** Whether `work` is still running after `ms` milliseconds. Never rejects. */
function isSlower(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    // After this process was busy, responses that have arrived are read before `setImmediate` runs.
    const timer = setTimeout(() => setImmediate(resolve, true), ms);
    timer.unref();
    const ended = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    work.then(ended, ended);
  });
}
