/** Expressions that threads read, compute and reduce: the bits of a read without threads, or the same error. */
import { createHash } from 'node:crypto';
import { existsSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { compileExpression } from '../../../server/analysis/expression/compile.js';
import { computeVariables } from '../../../server/analysis/expression/computed-slice.js';
import { parseExpression } from '../../../server/analysis/expression/parse.js';
import { deferred } from '../../../server/core/deferred.js';
import { createCoordinateCache, createCoordinateReader } from '../../../server/dataset/coordinate-reader.js';
import type { Variable as DatasetVariable } from '../../../server/dataset/variable.js';
import { openDataset } from '../../../server/dataset/open-dataset.js';
import { type Block, blockSlice, type CodecPool, combinationOf, type CombinedInput, combineSlices, type Hierarchy, holdSlice, type KeyStore, type LazySlice, numberType, openHierarchy, type ReduceRequest, reduceSlice, sizeOf, type SliceReadOptions, toTypedArray } from '../../../server/zarr/index.js'; // prettier-ignore
import { createRandom, entry, failureOf, filesAt, isBuilt, startPool, temporaryFolder } from '../../chunks/read/threads.js'; // prettier-ignore
import { changed } from '../../setup/changed.js';

interface Variable {
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly dtype: 'float32' | 'float64' | 'int16';
  /** Chunks of a shard along each dimension; 1 for no shards. */
  readonly perShard: number;
  /** Whether the first half of the first dimension is not stored. */
  readonly hasAbsent: boolean;
  readonly compression?: keyof typeof compressions;
}

const compressions = {
  none: [],
  zstd: ['zstd'],
  gzip: [{ name: 'gzip', configuration: { level: 1 } }],
  blosc: [{ name: 'blosc', configuration: { cname: 'lz4', clevel: 5, shuffle: 'shuffle', typesize: 4, blocksize: 0 } }],
  twice: ['zstd', 'crc32c'],
} as const; // prettier-ignore

async function write(
  store: KeyStore,
  variables: Readonly<Record<string, Variable>>,
  seed = 1,
): Promise<void> {
  const hierarchy = openHierarchy(store, { decoding: { pool: null } });
  await hierarchy.createGroup('/');
  for (const [name, variable] of Object.entries(variables)) await writeOne(hierarchy, name, variable, seed);
}

async function writeOne(hierarchy: Hierarchy, name: string, variable: Variable, seed: number): Promise<void> {
  const { dims, shape, chunks, dtype, perShard, hasAbsent, compression = 'zstd' } = variable;
  const array = await hierarchy.createArray(`/${name}`, {
    shape: [...shape],
    dtype,
    chunkShape: [...chunks],
    ...(perShard > 1 ? { shardShape: chunks.map((chunk) => chunk * perShard) } : {}),
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, ...compressions[compression]],
    dimensionNames: [...dims],
    fillValue: dtype === 'int16' ? -32768 : 0.5,
    // Packed numbers with missing values.
    attributes: dtype === 'int16' ? { scale_factor: 0.01, add_offset: 5, _FillValue: -32768 } : {},
  });
  const random = createRandom(seed + name.length);
  const start = hasAbsent ? Math.ceil((shape[0] ?? 0) / 2) : 0;
  const part = [(shape[0] ?? 0) - start, ...shape.slice(1)];
  const count = sizeOf(part);
  const pattern = Array.from({ length: 997 }, () => random(2000) - 1000);
  const type = { float32: Float32Array, float64: Float64Array, int16: Int16Array }[dtype];
  const data = new type(count);
  for (let i = 0; i < count; i++) data[i] = (pattern[i % 997] ?? 0) + (i % 13);
  const dim = { kind: 'slice' as const };
  await array
    .select({ kind: 'dims', dims: shape.map((_, d) => (d === 0 ? { ...dim, start } : dim)) })
    .write({ dtype: { name: dtype, itemSize: type.BYTES_PER_ELEMENT }, shape: part, bytes: new Uint8Array(data.buffer) }); // prettier-ignore
}

async function compute(hierarchy: Hierarchy, expression: string): Promise<LazySlice> {
  const dataset = await openDataset(hierarchy, await hierarchy.group('/'), undefined, undefined);
  const coordinates = createCoordinateReader(createCoordinateCache(), (coordinate) => coordinate.read());
  const scope = { decodingOf: async (variable: DatasetVariable) => variable.decoding(), coordinates };
  return (await computeVariables(expression, dataset, scope)).slice;
}

async function reduced(hierarchy: Hierarchy, expression: string, request: ReduceRequest): Promise<unknown> {
  return digestOf(await reduceSlice(await compute(hierarchy, expression), request).read());
}

function digestOf(block: Block): unknown {
  if (!('bytes' in block)) return block;
  const values = toTypedArray(block);
  // Compiled and interpreted code may create NaN with different bits.
  if (values instanceof Float32Array || values instanceof Float64Array)
    for (const [i, value] of values.entries()) if (Number.isNaN(value)) values[i] = NaN;
  return { ...block, bytes: createHash('sha256').update(block.bytes).digest('hex') };
}

describe.skipIf(!isBuilt)('expressions on threads', () => {
  const folder = temporaryFolder();
  let pool: CodecPool;
  let boxes = 0;
  /** Shared memory for the results of boxes. */
  const memories = new Set<SharedArrayBuffer>();
  beforeAll(async () => {
    const started = await startPool();
    pool = changed(started, {
      // Counts the boxes that threads have reduced.
      runBox(box, use, signal) {
        for (const { slot } of box.rules) memories.add(slot);
        const counting: typeof use = (reply) => {
          if (reply?.box !== undefined) boxes++;
          use(reply);
        };
        return started.runBox(box, counting, signal);
      },
    });
  });
  afterAll(() => pool.close());
  const inline = (store: KeyStore): Hierarchy => openHierarchy(store, { decoding: { pool: null } });
  const threaded = (store: KeyStore): Hierarchy => openHierarchy(store, { decoding: { pool, here: false } });

  /** Size of a chunk as a share of the size of the array. */
  const share = fc.constantFrom(0.26, 0.34, 0.5, 1);
  const chunksOf = (shape: readonly number[], shares: readonly number[]) =>
    shape.map((size, d) => Math.ceil(size * (shares[d] ?? 1)));
  const variable = (sizes: readonly number[]): fc.Arbitrary<Variable> =>
    fc.shuffledSubarray([0, 1, 2], { minLength: 1 }).chain((axes) =>
      fc.record({
        dims: fc.constant(axes.map((axis) => ['t', 'y', 'x'][axis] ?? '')),
        shape: fc.constant(axes.map((axis) => sizes[axis] ?? 1)),
        chunks: fc.tuple(...axes.map(() => share)).map((shares) => chunksOf(axes.map((axis) => sizes[axis] ?? 1), shares)), // prettier-ignore
        dtype: fc.constantFrom('float32', 'float64', 'int16'),
        perShard: fc.constantFrom(1, 2),
        hasAbsent: fc.boolean(),
        compression: fc.constantFrom('none', 'zstd', 'gzip', 'blosc', 'twice'),
      }),
    ); // prettier-ignore
  const sizes = fc.constantFrom([9, 211, 530], [40, 40, 611], [1040, 31, 30], [2, 3, 190_000]);
  const cases = sizes.chain((lengths) =>
    fc.record({
      // All dimensions together are large enough for several boxes.
      a: fc.record({ of: variable(lengths), shares: fc.tuple(share, share, share) }).map(({ of, shares }) => ({
        ...of,
        dims: ['t', 'y', 'x'],
        shape: lengths,
        chunks: chunksOf(lengths, shares),
      })),
      b: variable(lengths),
      expression: fc.constantFrom('sqrt(a ** 2 + b ** 2)', 'where(a > b, a, -b) / 3', 'b * (a < 0.5)', 'max(a, b) - 1'),
      by: fc.constantFrom('MEAN', 'STD', 'SUM', 'MAX', 'COUNT', 'ARGMIN', 'FIRST'),
      over: fc.oneof(fc.constant(['t', 'y', 'x']), fc.constantFrom(['t'], ['y'], ['x'])),
    }),
  ); // prettier-ignore

  test('threads compute the same bits for any variables, chunks and shards', async () => {
    let n = 0;
    const before = boxes;
    await fc.assert(
      fc.asyncProperty(cases, async ({ a, b, expression, by, over }) => {
        const store = filesAt(join(folder, `random ${n++}`));
        await write(store, { a, b });
        const request = by === 'ARGMIN' && over.length > 1 ? { by, over: ['t'] } : { by, over };
        const expected = await reduced(inline(store), expression, request);
        expect(await reduced(threaded(store), expression, request)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
    // Threads have reduced boxes, and have not only failed over to the pipeline.
    expect(boxes - before).toBeGreaterThan(0);
  }, 60_000);

  const inMemory = fc.record({
    axes: fc.shuffledSubarray([0, 1, 2]),
    /** The axis whose positions are those of groups, if the input has it. */
    grouped: fc.constantFrom(undefined, 0, 1, 2),
    hasMissing: fc.boolean(),
    type: fc.constantFrom('float32', 'float64'),
  });
  const random = createRandom(7);

  /** Values in memory, or values that are read once and held; of some axis, those of groups. */
  function sliceInMemory({ axes, grouped, hasMissing, type }: typeof inMemory extends fc.Arbitrary<infer T> ? T : never, shape: readonly number[]): CombinedInput {
    const groups = 3;
    const axis = grouped === undefined ? -1 : axes.indexOf(grouped);
    const own = axes.map((one, d) => (d === axis ? groups : (shape[one] ?? 1)));
    const Values = type === 'float32' ? Float32Array : Float64Array;
    const values = Values.from(Array.from({ length: sizeOf(own) }, () => random(2000) / 8 - 100));
    const block = { dtype: numberType(type), shape: own, bytes: new Uint8Array(values.buffer) };
    const slice = blockSlice(block, { store: 'memory' });
    if (axis < 0) return { slice, axes };
    const of = Int32Array.from({ length: shape[axes[axis] ?? 0] ?? 1 }, (_, i) => (hasMissing && i % 7 === 3 ? -1 : i % groups));
    return { slice: holdSlice(slice, { axis, of }), axes };
  } // prettier-ignore

  test('threads compute the same bits from inputs in memory', async () => {
    const shape = [40, 40, 611];
    const store = filesAt(join(folder, 'in memory'));
    const whole = { dims: ['t', 'y', 'x'], shape, chunks: [20, 40, 300], dtype: 'float32', perShard: 1, hasAbsent: false } as const; // prettier-ignore
    await write(store, { a: whole });
    const before = boxes;
    await fc.assert(
      fc.asyncProperty(
        inMemory,
        inMemory,
        fc.constantFrom('(a - b) / c', 'a * cos(b) + c', 'where(b > 0, a, c)'),
        fc.constantFrom('MEAN', 'STD', 'COUNT', 'ARGMIN'),
        fc.constantFrom('t', 'y', 'x'),
        async (b, c, expression, by, over) => {
          const [second, third] = [sliceInMemory(b, shape), sliceInMemory(c, shape)];
          const resultOf = async (hierarchy: Hierarchy): Promise<unknown> => {
            const first = { slice: (await hierarchy.array('/a')).select(), axes: [0, 1, 2] };
            const inputs = [first, second, third];
            const types = inputs.map(({ slice }, k) => ({ name: 'abc'.charAt(k), dtype: slice.dtype }));
            const program = compileExpression(parseExpression(expression), types);
            const frame = { where: { store: 'm' }, dimensionNames: whole.dims, shape };
            const slice = combineSlices(inputs, frame, combinationOf(program));
            return digestOf(await reduceSlice(slice, { by, over: [over] }).read());
          };
          expect(await resultOf(threaded(store))).toEqual(await resultOf(inline(store)));
        },
      ),
      { numRuns: 30 },
    );
    expect(boxes - before).toBeGreaterThanOrEqual(30);
  }, 60_000);

  test('without a cache of chunks, threads compute also if chunks may be kept', async () => {
    const store = filesAt(join(folder, 'kept'));
    await write(store, { a: large, b: large });
    const before = boxes;
    const hierarchy = openHierarchy(store, {
      decoding: { pool: changed(pool, { isPreferred: false }), here: false },
    });
    await reduceSlice(await compute(hierarchy, 'a + b'), mean).read({ keepChunks: true });
    expect(boxes).toBeGreaterThan(before);
  });

  test('the cost includes copies of inputs in memory', async () => {
    const store = filesAt(join(folder, 'copies'));
    await write(store, { a: large });
    const costWith = async (axes: readonly number[]): Promise<number> => {
      const hierarchy = threaded(store);
      const own = axes.map((axis) => large.shape[axis] ?? 1);
      const block = { dtype: numberType('float32'), shape: own, bytes: new Uint8Array(4 * sizeOf(own)) };
      const inputs = [
        { slice: (await hierarchy.array('/a')).select(), axes: [0, 1] },
        { slice: blockSlice(block, { store: 'memory' }), axes },
      ];
      const types = inputs.map(({ slice }, k) => ({ name: 'ab'.charAt(k), dtype: slice.dtype }));
      const program = compileExpression(parseExpression('a + b'), types);
      const frame = { where: { store: 'm' }, dimensionNames: large.dims, shape: large.shape };
      return combineSlices(inputs, frame, combinationOf(program)).cost().intermediateBytes;
    };
    // At least two boxes of 10 rows, whose copies have 4 bytes per element.
    expect((await costWith([0, 1])) - (await costWith([]))).toBeGreaterThanOrEqual(2 * 10 * 50_000 * 4);
  });

  const large = { dims: ['t', 'x'], shape: [60, 50_000], chunks: [10, 50_000], dtype: 'float32', perShard: 1, hasAbsent: false } as const; // prettier-ignore
  const mean = { by: 'MEAN', over: ['t'] } as const;

  const expressions = ['a + b', 'b - a', 'sqrt(a ** 2 + b ** 2)', 'max(a, b)'];

  // Where files are slow, versions of the inputs arrive in several turns, and not all expressions begin together.
  test('expressions of the same inputs that begin together read them once', { retry: 3 }, async () => {
    const store = filesAt(join(folder, 'together'));
    await write(store, { a: large, b: large });
    const expected = await Promise.all(expressions.map((text) => reduced(inline(store), text, mean)));
    const hierarchy = threaded(store);
    const before = boxes;
    const alone = await reduced(hierarchy, 'a + b', mean);
    const ofOne = boxes - before;
    const slices = await Promise.all(expressions.map((text) => compute(hierarchy, text)));
    const versions = slices.map(() => new Set<string>());
    const blocks = await Promise.all(
      slices.map((slice, k) =>
        reduceSlice(slice, mean).read({ onVersion: ({ key }) => void versions[k]?.add(key) }),
      ),
    );
    expect(boxes - before).toBe(2 * ofOne);
    expect([alone, ...blocks.map(digestOf)]).toEqual([expected[0], ...expected]);
    // Each of them knows the versions of all objects.
    for (const known of versions) expect(known).toEqual(versions[0]);
    expect(versions[0]?.size).toBe(12);
    const others = [
      compute(hierarchy, 'a + b'),
      compute(threaded(filesAt(join(folder, 'together'))), 'a + b'),
    ];
    const parts = (await Promise.all(others)).flatMap((slice) => [slice, slice.select({ kind: 'dims', dims: [{ kind: 'slice', start: 10 }] })]); // prettier-ignore
    const counted = boxes;
    await Promise.all(parts.map((slice) => reduceSlice(slice, mean).read()));
    // Neither other parts nor other hierarchies.
    expect(boxes - counted).toBeGreaterThan(3 * ofOne);
  });

  test('an abort, an error and a conflict of one expression do not affect those that it began with', async () => {
    const root = join(folder, 'apart');
    await write(filesAt(root), { a: large, b: large });
    const expected = await reduced(inline(filesAt(root)), 'max(a, b)', mean);
    const hierarchy = threaded(filesAt(root));
    const slices = await Promise.all(expressions.map((text) => compute(hierarchy, text)));
    const abort = new AbortController();
    const refuse = (): never => {
      throw new Error('refused');
    };
    const options: SliceReadOptions[] = [
      { signal: abort.signal, onVersion: () => abort.abort() },
      { onVersion: refuse },
      { signal: AbortSignal.abort() },
      {},
    ];
    const before = boxes;
    const reads = slices.map((slice, k) => reduceSlice(slice, mean).read(options[k]));
    const [aborted, , never, last] = await Promise.allSettled(reads);
    expect(aborted).toMatchObject({ reason: { code: 'ABORTED' } });
    expect(never).toMatchObject({ reason: { code: 'ABORTED' } });
    expect(last?.status === 'fulfilled' && last.value !== undefined ? digestOf(last.value) : last).toEqual(
      expected,
    );
    expect(boxes).toBeGreaterThan(before);
  });

  test('if threads cannot read a chunk, each of the expressions reads it', async () => {
    const root = join(folder, 'links');
    await write(filesAt(root), { a: large, b: large });
    const expected = await Promise.all(expressions.map((text) => reduced(inline(filesAt(root)), text, mean)));
    const path = join(root, 'b/c/2/0');
    renameSync(path, join(root, 'b/c/elsewhere'));
    symlinkSync('../elsewhere', path);
    const hierarchy = threaded(filesAt(root));
    const slices = await Promise.all(expressions.map((text) => compute(hierarchy, text)));
    const blocks = await Promise.all(slices.map((slice) => reduceSlice(slice, mean).read()));
    expect(blocks.map(digestOf)).toEqual(expected);
  });

  test('a corrupt chunk results in the same error', async () => {
    const root = join(folder, 'corrupt');
    await write(filesAt(root), { a: large, b: large });
    writeFileSync(join(root, 'b/c/3/0'), 'no chunk');
    const failures = [inline, threaded].map((open) => failureOf(reduced(open(filesAt(root)), 'a + b', mean)));
    const [expected, given] = await Promise.all(failures);
    expect(given).toEqual(expected);
    expect(expected).toMatchObject({ message: expect.stringContaining('b/c/3/0') });
  });

  test('a chunk that a thread cannot read is read by the pipeline', async () => {
    const root = join(folder, 'link');
    await write(filesAt(root), { a: large, b: large });
    const expected = await reduced(inline(filesAt(root)), 'a + b', mean);
    const path = join(root, 'a/c/4/0');
    renameSync(path, join(root, 'a/c/elsewhere'));
    symlinkSync('../elsewhere', path);
    expect(await reduced(threaded(filesAt(root)), 'a + b', mean)).toEqual(expected);
  });

  test('a shard written during the computation results in old values, new values or CONFLICT', async () => {
    const root = join(folder, 'replaced');
    const store = filesAt(root);
    await write(store, { a: large, b: { ...large, perShard: 6 } });
    const old = await reduced(inline(store), 'a - b', mean);
    const [reading] = await Promise.allSettled([
      reduced(threaded(store), 'a - b', mean),
      (async () => {
        const array = await inline(store).array('/b');
        const bytes = new Uint8Array(new Float32Array(sizeOf(large.shape)).buffer);
        await array.select().write({ dtype: { name: 'float32', itemSize: 4 }, shape: large.shape, bytes });
      })(),
    ]);
    const changed = await reduced(inline(store), 'a - b', mean);
    expect(changed).not.toEqual(old);
    if (reading.status === 'fulfilled') expect([old, changed]).toContainEqual(reading.value);
    else expect(reading.reason).toMatchObject({ code: 'CONFLICT' });
  });

  test('an abort ends the computation', async () => {
    const store = filesAt(join(folder, 'aborted'));
    await write(store, { a: large, b: large });
    const slice = reduceSlice(await compute(threaded(store), 'a + b'), mean);
    const abort = new AbortController();
    const reading = slice.read({ signal: abort.signal });
    abort.abort();
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
    const later = new AbortController();
    const second = slice.read({
      signal: later.signal,
      onVersion: () => later.abort(),
    });
    await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test.each(['before', 'after'])(
    'an abort cancels the queued boxes, and does not wait for those begun: threads go on %s the error',
    async (order) => {
      const store = filesAt(join(folder, `cancelled ${order}`));
      await write(store, { a: large, b: large });
      const go = join(folder, `go ${order}`);
      const held = join(folder, 'held.mjs');
      writeFileSync(
        held,
        "import { existsSync } from 'node:fs';\nimport { parentPort } from 'node:worker_threads';\n" +
          'const pause = new Int32Array(new SharedArrayBuffer(4));\nconst on = parentPort.on.bind(parentPort);\n' +
          'parentPort.on = (name, listen) => on(name, (message) => {\n' +
          `  while (message.kind === 'box' && !existsSync(${JSON.stringify(go)})) Atomics.wait(pause, 0, 0, 5);\n` +
          '  listen(message);\n});\n' +
          `await import(${JSON.stringify(entry.href)});\n`,
      );
      const started = await startPool(2, pathToFileURL(held));
      onTestFinished(() => started.close());
      const sent: Promise<unknown>[] = [];
      let replies = 0;
      const watched = changed(started, {
        runBox(box, use, signal) {
          const reply = deferred<unknown>();
          sent.push(reply.promise);
          return started.runBox(
            box,
            (outcome) => {
              replies++;
              reply.resolve(outcome?.box);
              use(outcome);
            },
            signal,
          );
        },
      });
      const hierarchy = openHierarchy(store, { decoding: { pool: watched, here: false } });
      const abort = new AbortController();
      const reading = failureOf(
        reduceSlice(await compute(hierarchy, 'a + b'), mean).read({ signal: abort.signal }),
      );
      await vi.waitFor(() => expect(sent.length).toBeGreaterThan(4), { timeout: 10_000 });
      const begun = sent.length;
      abort.abort();
      if (order === 'before') writeFileSync(go, '');
      expect(await reading).toMatchObject({ code: 'ABORTED' });
      if (order === 'after') expect(replies).toBe(0);
      writeFileSync(go, '');
      const computed = (await Promise.all(sent)).filter((box) => box !== undefined);
      expect({ sent: sent.length, computed: computed.length }).toEqual({ sent: begun, computed: 0 });
    },
  );

  test('aborted computations return the memory of their boxes', async () => {
    const store = filesAt(join(folder, 'memory'));
    await write(store, { a: large, b: large });
    const slice = reduceSlice(await compute(threaded(store), 'a + b'), mean);
    memories.clear();
    for (let i = 0; i < 20; i++) {
      const abort = new AbortController();
      const reading = slice.read({ signal: abort.signal, onVersion: () => abort.abort() });
      await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
      // When these boxes end, those of the aborted read have ended too.
      await slice.read();
    }
    expect(memories.size).toBeLessThanOrEqual(16);
  });

  test('the cost includes the shared memory of partial results', async () => {
    const store = filesAt(join(folder, 'charged'));
    await write(store, { a: large, b: large });
    const slice = await compute(threaded(store), 'a + b');
    memories.clear();
    await reduceSlice(slice, mean).read();
    const sharedBytes = [...memories].reduce((sum, memory) => sum + memory.byteLength, 0);
    expect(sharedBytes).toBeGreaterThan(2 ** 20);
    const alone = await compute(inline(store), 'a + b');
    const charged = slice.cost().intermediateBytes - alone.cost().intermediateBytes;
    expect(charged).toBeGreaterThanOrEqual(sharedBytes);
    expect(charged).toBeLessThanOrEqual(8 * pool.threads * 2 ** 20);
  });

  test('the calling thread computes the box of a lost thread', async () => {
    const store = filesAt(join(folder, 'lost'));
    await write(store, { a: large, b: large });
    const expected = await reduced(inline(store), 'a * b', mean);
    const dying = join(folder, 'dying.mjs');
    writeFileSync(
      dying,
      "import { writeFileSync } from 'node:fs';\nimport { parentPort } from 'node:worker_threads';\n" +
        'let boxes = 0;\nconst on = parentPort.on.bind(parentPort);\n' +
        'parentPort.on = (name, listen) => on(name, (message) => {\n' +
        "  if (message.kind === 'box' && ++boxes === 2 && isFirst()) process.exit(1);\n  listen(message);\n});\n" +
        `const isFirst = () => {\n  try {\n    writeFileSync(${JSON.stringify(`${dying}.lost`)}, '', { flag: 'wx' });\n    return true;\n  } catch {\n    return false;\n  }\n};\n` +
        `await import(${JSON.stringify(entry.href)});\n`,
    );
    const mortal = await startPool(2, pathToFileURL(dying));
    onTestFinished(() => mortal.close());
    const hierarchy = openHierarchy(store, { decoding: { pool: mortal, here: false } });
    for (let i = 0; i < 3; i++) expect(await reduced(hierarchy, 'a * b', mean)).toEqual(expected);
    expect(existsSync(`${dying}.lost`)).toBe(true);
  });
});
