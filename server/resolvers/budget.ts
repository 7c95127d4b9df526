/**
 * What one request may still read. Every slice whose values are asked for is charged with its whole cost before anything
 * of it is read, so that a hundred slices that are each within bounds do not pass them together.
 */
import { listCount } from '../transport/json/list-text.js';
import { type ArraySlice, type Block, type Excess, LimitError, type Limits } from '../zarr/index.js';

interface Charge {
  readonly maxChunks: number;
  readonly maxDecodedBytes: number;
  readonly maxOutputBytes: number;
}

export interface RequestBudget {
  /**
   * Charges the slice, then reads it.
   * @throws LimitError before anything is read; what the read throws
   */
  read(slice: ArraySlice, signal: AbortSignal | undefined): Promise<Block>;
}

/** What belongs to one request and its reads. */
export interface ReadScope {
  readonly budget: RequestBudget;
  readonly signal: AbortSignal | undefined;
}

export function createRequestBudget(limits: Limits): RequestBudget {
  let spent: Charge = { maxChunks: 0, maxDecodedBytes: 0, maxOutputBytes: 0 };
  /** Values of variable length show their size when they are read: one after the other, each gets what is left. */
  let turn: Promise<unknown> = Promise.resolve();

  function charge(slice: ArraySlice, charged: Charge): void {
    const alone = excessOf(charged, limits);
    if (alone.length > 0) throw limitError(slice, alone, 'this slice is too large', 'Select less');
    const needed = add(spent, charged);
    const excess = excessOf(needed, limits);
    if (excess.length > 0)
      throw limitError(
        slice,
        excess,
        'this slice and others of the request are too large together',
        'Select less, or ask in several requests',
      );
    spent = needed;
  }

  async function readVariable(slice: ArraySlice, signal: AbortSignal | undefined): Promise<Block> {
    const left = limits.maxOutputBytes - spent.maxOutputBytes;
    const block = await slice.read({ signal, limits: { ...limits, maxOutputBytes: left } });
    charge(slice, { maxChunks: 0, maxDecodedBytes: 0, maxOutputBytes: itemBytes(block) });
    return block;
  }

  return {
    async read(slice, signal) {
      const cost = slice.cost();
      charge(slice, {
        maxChunks: cost.chunks,
        maxDecodedBytes: cost.decodedBytes,
        // Brackets are output too: (10^9, 0) has no bytes and a thousand million lists.
        maxOutputBytes: Math.max(cost.outputBytes ?? 0, listCount(slice.shape)),
      });
      if (cost.outputBytes !== undefined) return slice.read({ signal, limits });
      const mine = turn.then(() => readVariable(slice, signal));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

function add(a: Charge, b: Charge): Charge {
  return {
    maxChunks: a.maxChunks + b.maxChunks,
    maxDecodedBytes: a.maxDecodedBytes + b.maxDecodedBytes,
    maxOutputBytes: a.maxOutputBytes + b.maxOutputBytes,
  };
}

function excessOf(needed: Charge, limits: Limits): Excess[] {
  const names = ['maxOutputBytes', 'maxDecodedBytes', 'maxChunks'] as const;
  return names
    .filter((name) => needed[name] > limits[name])
    .map((name) => ({ limit: name, allowed: limits[name], needed: needed[name] }));
}

function limitError(slice: ArraySlice, excess: readonly Excess[], what: string, advice: string): LimitError {
  const bounds = excess.map(
    ({ limit, allowed, needed }) => `${limit} allows ${allowed}, ${needed} are needed`,
  );
  return new LimitError(`${what}: ${bounds.join('; ')}. ${advice}; "estimate" tells what a part takes`, {
    excess,
    where: { store: slice.array.home.store.label, path: slice.array.path },
  });
}

/** About what the items take, whatever they are. */
function itemBytes(block: Block): number {
  if ('bytes' in block) return block.bytes.length;
  let bytes = 0;
  for (const item of block.items) {
    if (typeof item === 'string' || item instanceof Uint8Array) bytes += item.length;
  }
  return bytes;
}
