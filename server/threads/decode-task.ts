/** Decodes the chunk of a task and passes it on: the same on every thread. */
import { runToEnd } from '../core/turns.js';
import { decodeChunk, type DecodedChunk } from '../format/codec/run-chain.js';
import type { ReadPlan, ReadTask } from '../format/plan/plan.js';
import { neededSpan } from '../format/plan/region.js';
import { axesOfTask, partialNow, workOfTask, type ReduceRule } from '../compute/reduce/partial.js';
import type { Sink } from '../compute/reduce/sink.js';

/** @throws errors from `decodeChunk` and the sink */
export function decodeTask(
  plan: ReadPlan,
  task: ReadTask,
  encoded: Uint8Array,
  sink: Pick<Sink<unknown>, 'chunk' | 'into'>,
): void {
  const { layout, cost } = plan;
  const needed = neededSpan(plan, task);
  sink.chunk(task, decodeChunk(layout.chain, encoded, cost.chunkBytes, sink.into?.(task), needed));
}

/** The partial result of a decoded chunk. */
export function reduceTask(rule: ReduceRule, task: ReadTask, decoded: DecodedChunk): unknown {
  return partialNow(runToEnd(workOfTask(rule, task, runToEnd(axesOfTask(rule, task)))), decoded);
}
