import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkLength, chunkStart, regularGrid } from '../../../server/format/grid.js';
import { resolveChain } from '../../../server/format/codec/chain.js';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import { innerChunkLayout } from '../../../server/format/plan/layout.js';
import { isZarrError } from '../../../server/core/errors.js';
import { assertWithinLimits, exceededLimits } from '../../../server/format/plan/cost.js';
import type { Run } from '../../../server/format/plan/parts.js';
import { planObjects, planRead, planTasks } from '../../../server/format/plan/plan.js';
import { resolveSelection } from '../../../server/format/selection/resolve.js';
import { type DimSelection, positionAt, type Selection } from '../../../server/format/selection/selection.js';

const dtype = { name: 'int16', itemSize: 2 } as const;

function layoutOf(shape: number[], chunks: number[], inner?: number[]) {
  const bytes = { name: 'bytes', configuration: { endian: 'little' } };
  const sharding = {
    name: 'sharding_indexed',
    configuration: { chunk_shape: inner ?? [], codecs: [bytes], index_codecs: [bytes] },
  };
  const rep = { dtype, shape: chunks, fill: { bytes: new Uint8Array(2) } };
  const chain = resolveChain(createDefaultRegistry(), [inner === undefined ? bytes : sharding], rep);
  return innerChunkLayout(regularGrid(shape, chunks), chain);
}

function planOf(layout: ReturnType<typeof layoutOf>, selection: Selection) {
  const dims = layout.grid.dims.map((dim) => ({ name: null, size: dim.size, chunks: dim }));
  return planRead(layout, dtype, resolveSelection(selection, dims));
}

function runPositions(run: Run): number[] {
  return 'at' in run ? [...run.at] : Array.from({ length: run.count }, (_, i) => run.start + i * run.step);
}

const limits = {
  maxOutputBytes: 2 ** 20,
  maxDecodedBytes: 2 ** 20,
  maxChunks: 1000,
  maxReducedBytes: 2 ** 40,
  maxWork: 1e15,
};

describe('cost', () => {
  test('of 10^15 chunks is known without listing one', () => {
    const plan = planOf(layoutOf([10 ** 6, 10 ** 9], [1, 1]), { kind: 'all' });
    expect(plan.cost).toMatchObject({ chunks: 1e15, requests: 1e15, decodedBytes: 2e15, outputBytes: 2e15 });
    const names = exceededLimits(plan.cost, limits).map(({ limit }) => limit);
    expect(names).toEqual(['maxOutputBytes', 'maxDecodedBytes', 'maxChunks']);
    expect(() => assertWithinLimits(plan.cost, limits)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
  });

  test('of one element of a chunk that is too large exceeds the limits', () => {
    const plan = planOf(layoutOf([4], [3_000_000_000]), {
      kind: 'dims',
      dims: [{ kind: 'index', index: 0 }],
    });
    try {
      assertWithinLimits(plan.cost, limits);
      expect.unreachable();
    } catch (error) {
      expect(isZarrError(error, 'LIMIT_EXCEEDED')).toBe(true);
    }
  });

  test('of a sharded array counts inner chunks, and one index per shard', () => {
    const { cost } = planOf(layoutOf([16, 16], [8, 8], [2, 4]), { kind: 'all' });
    expect(cost).toMatchObject({
      chunks: 32,
      requests: 36,
      indexBytes: 512,
      decodedBytes: 1024,
      chunkBytes: 16,
      stepBytes: 16,
    });
  });

  test('of an empty selection is empty', () => {
    expect(planOf(layoutOf([0, 5], [2, 2]), { kind: 'all' }).cost).toMatchObject({
      chunks: 0,
      outputBytes: 0,
    });
    expect([...planTasks(planOf(layoutOf([0, 5], [2, 2]), { kind: 'all' }))]).toEqual([]);
  });
});

describe('tasks', () => {
  const dim = fc.record({
    size: fc.nat(12),
    chunk: fc.integer({ min: 1, max: 5 }),
    inner: fc.integer({ min: 1, max: 3 }),
    by: fc.oneof(
      fc
        .record(
          {
            start: fc.integer({ min: -13, max: 13 }),
            stop: fc.integer({ min: -13, max: 13 }),
            step: fc.integer({ min: -7, max: 7 }).filter((step) => step !== 0),
          },
          { requiredKeys: [] },
        )
        .map((by): DimSelection => ({ kind: 'slice', ...by })),
      fc.array(fc.nat(1000), { maxLength: 5 }).map((indices): DimSelection => ({ kind: 'indices', indices })),
      // Ascending lists are divided without a table of chunks.
      fc.array(fc.nat(11), { maxLength: 9 }).map((indices): DimSelection => ({ kind: 'indices', indices: indices.toSorted((a, b) => a - b) })), // prettier-ignore
    ),
  });

  test('match the cost, cover each chunk once, and place each element correctly', () => {
    fc.assert(
      fc.property(fc.array(dim, { maxLength: 3 }), fc.boolean(), (dims, sharded) => {
        const shape = dims.map(({ size }) => size);
        const chunks = dims.map(({ chunk, inner }) => (sharded ? chunk * inner : chunk));
        const layout = layoutOf(shape, chunks, sharded ? dims.map(({ chunk }) => chunk) : undefined);
        const selection: Selection = {
          kind: 'dims',
          dims: dims.map(({ by, size }) =>
            by.kind === 'indices'
              ? { kind: 'indices', indices: size === 0 ? [] : by.indices.map((i) => i % size) }
              : by,
          ),
        };
        const plan = planOf(layout, selection);
        const tasks = [...planTasks(plan)];
        expect(tasks.length).toBe(plan.cost.chunks);
        expect(new Set(tasks.map(({ chunk }) => chunk.join())).size).toBe(tasks.length);
        const elements = tasks.reduce(
          (sum, { parts }) =>
            'points' in parts
              ? sum
              : sum + parts.reduce((n, { to }) => n * ('at' in to ? to.at.length : to.count), 1),
          0,
        );
        expect(elements).toBe(plan.shape.reduce((a, b) => a * b, 1));
        for (const { chunk, parts } of tasks) {
          if ('points' in parts || plan.selection.kind === 'points') continue;
          const { selection: resolved } = plan;
          parts.forEach(({ from, to }, d) => {
            const [chosen, gridDim] = [resolved.dims[d], layout.grid.dims[d]];
            if (chosen === undefined || gridDim === undefined) return expect.unreachable();
            runPositions(from).forEach((within, i) => {
              expect(within >= 0 && within < chunkLength(gridDim, chunk[d] ?? 0)).toBe(true);
              const position = chunkStart(gridDim, chunk[d] ?? 0) + within;
              expect(position).toBe(positionAt(chosen, runPositions(to)[i] ?? -1));
            });
          });
        }
        const objects = [...planObjects(plan)].map(({ object }) => object.join());
        expect(new Set(objects).size).toBe(objects.length);
        expect(new Set(objects)).toEqual(new Set(tasks.map(({ location }) => location.object.join())));
        const locations = new Set(
          tasks.map(({ location }) => `${location.object.join()} ${location.entries.join()}`),
        );
        expect(locations.size).toBe(tasks.length);
      }),
    );
  });
});
