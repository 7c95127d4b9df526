/** Decodes the chunk of a task and passes it on: the same on every thread. */
import { runToEnd } from '../core/turns.js';
import { decodeChunk } from '../format/codec/run-chain.js';
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

/** Like `decodeTask`, but returns the partial result of the chunk. */
export function reduceTask(plan: ReadPlan, rule: ReduceRule, task: ReadTask, encoded: Uint8Array): unknown {
  let partial: unknown;
  decodeTask(plan, task, encoded, {
    chunk(_, decoded) {
      partial = partialNow(runToEnd(workOfTask(rule, task, runToEnd(axesOfTask(rule, task)))), decoded);
    },
  });
  return partial;
}
