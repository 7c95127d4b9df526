/**
 * Random arrays written by this engine (formats 1, 2 and 3, whole and in parts): zarr-python 3,
 * tensorstore, zarr-python 2 and zarrs read the same bits if they support the array. At least one reader
 * supports each array.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFilesystemStore, openHierarchy, type JsonValue } from '../../server/zarr/index.js';
import { findPython, runScript, seed, temporaryFolder, times, type Environment } from './python.js';
import { offsetsOf, randomDim, randomRequest, randomShape } from './random-arrays.js';
import { randomType, type RandomType } from './random-types.js';
import { createRandom, type Random } from './random.js';

interface Written {
  readonly id: string;
  readonly path: string;
  readonly format: number;
  readonly shape: readonly number[];
  readonly layout: JsonValue;
  readonly attributes: JsonValue;
  readonly dimension_names: readonly (string | null)[] | undefined;
  /** Base64 in the layout of test/fixtures/README.md. */
  readonly values: string;
  /** Description of the array for failure messages. */
  readonly request: string;
}
interface ReadBack {
  readonly id: string;
  readonly error?: string;
  readonly shape?: number[];
  readonly values?: string;
  readonly attributes?: unknown;
  readonly dimension_names?: (string | null)[] | null;
}
interface Reader {
  readonly name: string;
  readonly environment: Environment;
  readonly script: 'zarr' | 'tensorstore' | 'zarrs';
  readonly formats: readonly number[];
}

const count = 330 * times;
const readers: readonly Reader[] = [
  { name: 'zarr-python 3', environment: 'today', script: 'zarr', formats: [2, 3] },
  { name: 'tensorstore', environment: 'today', script: 'tensorstore', formats: [2, 3] },
  { name: 'zarr-python 2', environment: 'zarr2', script: 'zarr', formats: [1, 2] },
  { name: 'zarrs', environment: 'zarrs', script: 'zarrs', formats: [3] },
];

const { path: folder, remove } = await temporaryFolder();
afterAll(remove);
const written: Written[] = [];
const confirmed = new Set<string>();

/** The model: the elements of the array as a list, changed by each write. */
type Elements = (Uint8Array | string)[];

function blockOf(type: RandomType, elements: Elements, shape: readonly number[]): unknown {
  if (type.itemSize === undefined) return { shape, data: elements };
  return Buffer.concat(elements.map((one) => Buffer.from(one)));
}

function layOut(elements: Elements): string {
  const parts = elements.map((one) => {
    if (typeof one !== 'string') return Buffer.from(one);
    const text = Buffer.from(one);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    return Buffer.concat([length, text]);
  });
  return Buffer.concat(parts).toString('base64');
}

/** Whether the little-endian bytes of a float16, float32 or float64 are NaN. */
function isNaNOf(value: Uint8Array | string): boolean {
  if (typeof value === 'string') return false;
  const bytes = Buffer.from(value);
  if (bytes.length === 8) return Number.isNaN(bytes.readDoubleLE());
  return bytes.length === 4 ? Number.isNaN(bytes.readFloatLE()) : (bytes.readUInt16LE() & 0x7fff) > 0x7c00;
}

async function writeOne(n: number): Promise<Written> {
  const random: Random = createRandom(seed * 1_000_003 + n);
  const format = random.choose([1, 2, 2, 3, 3, 3] as const);
  const type = randomType(format, random);
  const shape = randomShape(random);
  const { json, value } = type.fill(random);
  const request = randomRequest(format, type, shape, json, random);
  const path = `${n}.zarr`;
  const hierarchy = openHierarchy(createFilesystemStore({ label: path, root: `${folder}/${path}` }));
  const array = await hierarchy.createArray('/', request, { zarrFormat: format });
  const elements: Elements = new Array<Uint8Array | string>(shape.reduce((a, b) => a * b, 1)).fill(value);
  for (let left = random.choose([0, 1, 1, 2, 3]); left > 0; left--) {
    const dims = shape.map((length) => randomDim(length, random));
    const offsets = offsetsOf(dims.map(({ at }) => at), shape); // prettier-ignore
    const values = offsets.map(() => {
      const one = random.chance(0.1) ? value : type.value(random);
      // Every NaN equals a NaN fill value, so a chunk of NaNs may not be stored and loses their payloads.
      return json === 'NaN' && type.name.startsWith('float') && isNaNOf(one) ? value : one;
    });
    for (const [i, offset] of offsets.entries()) elements[offset] = values[i] ?? value;
    const slice = array.select({ kind: 'dims', dims: dims.map(({ by }) => by) });
    const given = blockOf(type, values, slice.shape);
    const { dtype } = array.meta;
    await slice.write(given instanceof Uint8Array ? { dtype, shape: slice.shape, bytes: given } : given, {
      writeEmptyChunks: random.chance(0.2),
    });
  }
  const { attributes = {}, dimensionNames } = request;
  const values = layOut(elements);
  const text = JSON.stringify({ request, fill: json }, (_, one) =>
    typeof one === 'bigint' ? String(one) : one,
  );
  return { id: `${seed}-${n}`, path, format, shape, layout: type.layout, attributes, dimension_names: dimensionNames, values, request: text }; // prettier-ignore
}

beforeAll(async () => {
  for (let n = 0; n < count; n++)
    written.push(
      await writeOne(n).catch((error: unknown) => {
        throw new Error(`array ${n} of seed ${seed} was not written`, { cause: error });
      }),
    );
}, 600_000);

describe(`${count} arrays of seed ${seed} that the engine writes`, () => {
  let missing: string | undefined;

  test.for(readers)('$name reads them', { timeout: 600_000 }, async (reader, context) => {
    const python = await findPython(reader.environment);
    if ('missing' in python) {
      missing = python.missing;
      return context.skip(missing);
    }
    const selected = written.filter(({ format }) => reader.formats.includes(format));
    const failures: string[] = [];
    for (const [one, read] of await readWith(reader, python.command, selected)) {
      // A reader reports unsupported features; then another reader must support them.
      if (read?.values === undefined) continue;
      const text = `${one.id} ${one.request}`;
      if (read.values !== one.values || read.shape?.join() !== one.shape.join())
        failures.push(`${text}:\n expected ${one.values}\n got      ${read.values}`);
      else confirmed.add(one.id);
      if (read.attributes !== undefined && !isDeepStrictEqual(read.attributes, one.attributes))
        failures.push(`${text}: attributes ${JSON.stringify(read.attributes)}`);
      if (one.format === 3 && read.dimension_names?.join() !== one.dimension_names?.join())
        failures.push(`${text}: dimension names ${JSON.stringify(read.dimension_names)}`);
    }
    expect(failures).toEqual([]);
  });

  test('every array has been confirmed by another implementation', (context) => {
    if (missing !== undefined) return context.skip(missing);
    const alone = written.filter(({ id }) => !confirmed.has(id));
    expect(alone.map(({ id, request }) => `${id} ${request}`)).toEqual([]);
  });
});

async function readWith(
  { script }: Reader,
  python: string,
  selected: readonly Written[],
): Promise<(readonly [Written, ReadBack | undefined])[]> {
  const { stdout } = await runScript(python, 'read_arrays.py', [script, folder], JSON.stringify(selected));
  const reads = new Map<string, ReadBack>();
  for (const line of stdout.split('\n').filter(Boolean)) {
    const read: ReadBack = JSON.parse(line);
    reads.set(read.id, read);
  }
  return selected.map((one) => [one, reads.get(one.id)] as const);
}
