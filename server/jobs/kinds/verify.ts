/** Decodes every chunk of an array or of all arrays of a group, and names those that cannot be read. */
import { defined } from '../../../wire/guards.js';
import {
  type CallOptions,
  isZarrError,
  LimitError,
  parseNodePath,
  ZarrArray,
  type ZarrError,
  chunkAt,
  chunkLength,
  chunkStart,
} from '../../zarr/index.js';
import { digestOfPlan, type JobOf } from '../job.js';
import { MAX_NODES, taskLimits } from '../limits.js';
import { type BrokenChunk, type JobPlan, noCounts, type TaskContext, type TaskReport } from '../plan.js';
import { openSource } from '../source.js';
import type { JobStores } from '../stores.js';
import { type TaskBox, boxOfTask, type TaskGrid } from '../task-grid.js';
import { TaskOffsets } from '../task-offsets.js';
import { divideCopy, selectionOfBox } from './array-copy.js';
import { watchNodes } from './watch-nodes.js';

/** What a task examines: a part of an array, or the reason why the node cannot be read. */
type Examined =
  | {
      readonly array: ZarrArray;
      readonly grid: TaskGrid;
      readonly needBytes: number;
      readonly totalBytes: number;
    }
  | { readonly broken: BrokenChunk };

/** @throws errors from opening the source and from listing; InputError for a computed slice */
export async function planVerify(
  job: JobOf<'verify'>,
  stores: JobStores,
  { signal }: CallOptions,
): Promise<JobPlan> {
  const store = await stores.source(job.source.store, signal);
  const watch = watchNodes(store);
  await watch.add(parseNodePath(job.source.path), signal);
  const source = await openSource(
    store,
    { store: job.source.store, path: job.source.path, steps: [] },
    signal,
  );
  const examined: Examined[] = [];
  const add = (array: ZarrArray): void => void examined.push(examine(array));
  if (source.kind === 'slice') {
    const array = defined(source.stored);
    add(array);
  } else
    for await (const entry of store.hierarchy.walk(source.group.path, {
      recursive: true,
      complete: true,
      signal,
    })) {
      if (examined.length >= MAX_NODES)
        throw new LimitError(`the group has more than ${MAX_NODES} arrays; verify its groups one by one`, {
          excess: [{ limit: 'nodes of a job', allowed: MAX_NODES, needed: examined.length + 1 }],
        });
      try {
        const node = entry.open();
        if (node instanceof ZarrArray) add(node);
      } catch (error) {
        if (!isZarrError(error) || error.code === 'ABORTED') throw error;
        examined.push({ broken: brokenOf(entry.path, error) });
      }
    }
  const offsets = new TaskOffsets(examined.map((each) => ('grid' in each ? each.grid.tasks : 1)));
  const grids = examined.filter((each) => 'grid' in each);
  return {
    job,
    reads: [],
    digest: digestOfPlan({ job, watched: watch.versions(), tasks: offsets.count }),
    tasks: offsets.count,
    stages: [0],
    needBytes: Math.max(0, ...grids.map(({ needBytes }) => needBytes)),
    totalBytes: grids.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
    nodes: [],
    destination: undefined,
    async run(number, context) {
      const { index, task } = offsets.locate(number);
      const each = defined(examined[index]);
      return 'broken' in each
        ? { counts: noCounts, seen: 0n, broken: [each.broken] }
        : verifyBox(each.array, boxOfTask(each.grid, task), context);
    },
    // A verification compares nothing at its end: each chunk is valid or not by itself.
    seenNow: async () => 0n,
    isSourceCurrent: async () => true,
  };
}

function examine(array: ZarrArray): Examined {
  try {
    const { layout } = array.source();
    const objects = array.meta.grid.dims.map(({ longest }) => longest);
    return { array, ...divideCopy(array.select(), layout.levels.length === 0 ? array.chunkShape : objects) };
  } catch (error) {
    if (!isZarrError(error)) throw error;
    return { broken: brokenOf(array.path, error) };
  }
}

function brokenOf(path: string, error: ZarrError): BrokenChunk {
  return { path, key: error.where.key, code: error.code, message: error.message };
}

/** Reads a box. If that fails, reads its chunks one by one, to name all that are unreadable. */
async function verifyBox(array: ZarrArray, box: TaskBox, context: TaskContext): Promise<TaskReport> {
  const part = array.select(selectionOfBox(box));
  const counts = { ...noCounts, bytesRead: part.cost().decodedBytes };
  try {
    await readBox(array, box, context);
    return { counts, seen: 0n };
  } catch (error) {
    if (!isOfChunk(error)) throw error;
  }
  const broken: BrokenChunk[] = [];
  for (const chunk of chunksIn(array, box))
    try {
      await readBox(array, chunk, context);
    } catch (error) {
      if (!isOfChunk(error)) throw error;
      broken.push(brokenOf(array.path, error));
    }
  return { counts, seen: 0n, broken };
}

async function readBox(array: ZarrArray, box: TaskBox, { signal, memory }: TaskContext): Promise<void> {
  const part = array.select(selectionOfBox(box));
  await part.read({ signal, limits: taskLimits, keepChunks: false, ...memory.outFor(part) });
}

/** Whether an error is a defect of the stored data, and not of the connection to the store. */
function isOfChunk(error: unknown): error is ZarrError {
  return (
    isZarrError(error) && !isZarrError(error, 'STORE_UNAVAILABLE', 'STORE_DENIED', 'ABORTED', 'CONFLICT')
  );
}

/** The parts of inner chunks in a box, in C order. */
function* chunksIn({ geometry }: ZarrArray, { start, stop }: TaskBox): Generator<TaskBox> {
  const { dims } = geometry.grid;
  const endOf = (from: number, d: number): number => {
    const dim = defined(dims[d]);
    const chunk = chunkAt(dim, from);
    return Math.min(defined(stop[d]), chunkStart(dim, chunk) + chunkLength(dim, chunk));
  };
  const at = [...start];
  for (;;) {
    yield { start: [...at], stop: at.map(endOf) };
    let d = at.length - 1;
    while (d >= 0) {
      at[d] = endOf(defined(at[d]), d);
      if (defined(at[d]) < defined(stop[d])) break;
      at[d] = defined(start[d]);
      d--;
    }
    if (d < 0) return;
  }
}
