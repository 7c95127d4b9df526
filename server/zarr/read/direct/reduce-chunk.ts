/** Decodes and reduces a chunk, on a pool thread or on the owner of the read. */
import { decodeChunk } from '../../codec/decode-chunk.js';
import type { ReadPlan, ReadTask } from '../plan.js';
import { partialNow, workOfTask, type ReduceRule } from '../reduce/partial.js';
import { neededSpan } from '../region.js';

/** @throws errors from decodeChunk */
export function reduceChunk(plan: ReadPlan, task: ReadTask, encoded: Uint8Array, rule: ReduceRule): unknown {
  const { chain } = plan.layout;
  const decoded = decodeChunk(chain, encoded, plan.cost.chunkBytes, undefined, neededSpan(plan, task));
  return partialNow(workOfTask(rule, task), decoded);
}
