/**
 * Reduces the boxes of combined slices on the threads of the pool. Folds of the same inputs that begin in one turn of the
 * event loop are joined: a thread reads and decodes a box once for all of them.
 */
import { defined } from '../../../wire/guards.js';
import type { BoxTask, ReducedBox } from '../../chunks/read/box-read.js';
import type { Program } from '../../compute/program/program.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import { type Box, type BoxGrid, isSameGrid } from '../boxes.js';
import type { BoxWork } from '../fold-slice.js';
import { createJoiner, type Group } from '../join-work.js';
import type { SliceReadOptions } from '../lazy-slice.js';
import { type BoxInputs, type BoxReducer, createBoxReducer, indicesOfInputs } from './reduce-boxes.js';

/** A fold whose boxes threads can reduce. */
export interface BoxFold {
  readonly boxes: Iterator<Box>;
  readonly inputs: BoxInputs;
  readonly pool: CodecPool;
  readonly grid: BoxGrid;
  /** Maximum size of a box, with all inputs. */
  readonly boxBytes: number;
  readonly program: Program;
  /** Options for reading an input. */
  readonly reading: SliceReadOptions;
  workOf(box: Box): Promise<BoxWork>;
  /** Merges the partial result of the next box. */
  add(partial: unknown, work: BoxWork): Promise<void>;
  /** Computes the next boxes on this thread. */
  addComputed(boxes: Iterator<Box>): Promise<void>;
}

const join = createJoiner<BoxFold>(
  (first, { pool, grid, inputs }) =>
    pool === first.pool &&
    isSameGrid(grid, first.grid) &&
    indicesOfInputs(inputs, first.inputs) !== undefined,
  runGroup,
);

/** Adds all boxes to the fold. @throws errors from reading and from the fold; AbortedError if its signal fires */
export function joinBoxes(fold: BoxFold): Promise<void> {
  return join(fold, fold.reading.signal);
}

/** A box that a thread reduces for some folds. */
interface BegunBox {
  readonly box: Box;
  readonly parts: readonly { readonly fold: BoxFold; readonly work: BoxWork }[];
  readonly reducing: Promise<ReducedBox | undefined>;
}

async function runGroup(group: Group<BoxFold>, first: BoxFold): Promise<void> {
  const folds = group.works;
  const threads = createBoxReducer(first.inputs, first.pool, first.boxBytes, {
    ...first.reading,
    signal: group.signal,
    onVersion(object, version) {
      for (const fold of folds) if (group.isActive(fold)) fold.reading.onVersion?.(object, version);
    },
  });
  const inputs = new Map(folds.map((fold) => [fold, defined(indicesOfInputs(fold.inputs, first.inputs))]));
  const ahead = threads.aheadOf(folds.length);
  const begun: BegunBox[] = [];
  let added = 0;
  let hasFailed = false;
  try {
    for (;;) {
      while (!hasFailed && !group.isOver && begun.length < ahead) {
        const next = first.boxes.next();
        if (next.done === true) break;
        begun.push(await begin(group, next.value, threads, inputs));
      }
      const [oldest] = begun;
      if (oldest === undefined || group.isOver) break;
      const reduced = await oldest.reducing;
      hasFailed ||= reduced === undefined;
      for (const [k, { fold, work }] of oldest.parts.entries())
        await group.attempt(fold, () =>
          reduced === undefined
            ? fold.addComputed([oldest.box].values())
            : fold.add(reduced.partials[k], work),
        );
      added++;
      reduced?.release();
      begun.shift();
    }
  } finally {
    // After a failure, the threads still reply. An abort has cancelled their boxes.
    for (const { reducing } of begun) reducing.then((reduced) => reduced?.release()).catch(() => undefined);
  }
  for (const fold of folds)
    await group.attempt(fold, async () => {
      if (fold !== first) for (let i = 0; i < added; i++) fold.boxes.next();
      await fold.addComputed(fold.boxes);
    });
}

async function begin(
  group: Group<BoxFold>,
  box: Box,
  threads: BoxReducer,
  inputs: ReadonlyMap<BoxFold, readonly number[]>,
): Promise<BegunBox> {
  const parts: { readonly fold: BoxFold; readonly work: BoxWork }[] = [];
  for (const fold of inputs.keys())
    await group.attempt(fold, async () => {
      parts.push({ fold, work: await fold.workOf(box) });
    });
  const tasks = parts.map(({ fold, work: { own, form } }): BoxTask => ({
    inputs: defined(inputs.get(fold)),
    program: fold.program,
    form,
    axes: own,
  }));
  return { box, parts, reducing: threads.reduce(box, tasks) };
}
