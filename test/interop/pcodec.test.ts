/** Arrays that we write with pcodec, read by zarr-python and numcodecs. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFilesystemStore, numberType, openHierarchy, toTypedArray } from '../../server/zarr/index.js';
import { findPython, runScript, temporaryFolder } from './python.js';
import { createRandom } from './random.js';

const python = await findPython('stores');
const types = [
  'uint16',
  'uint32',
  'uint64',
  'int16',
  'int32',
  'int64',
  'float16',
  'float32',
  'float64',
] as const;

test.skipIf('missing' in python)('numbers of all types in both formats', async () => {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  const open = (format: number) =>
    openHierarchy(
      createFilesystemStore({
        label: 'written',
        root: join(path, `v${format}`),
        readonly: false,
        create: true,
      }),
    );
  const hierarchies = { 2: open(2), 3: open(3) };
  const random = createRandom(1);
  const expected: Record<string, string> = {};
  for (const dtype of types)
    for (const zarrFormat of [2, 3] as const)
      for (const kept of [1, 2, 8]) {
        const name = `${dtype}-${zarrFormat}-${kept}`;
        const codec = { level: random.int(0, 12), delta_encoding_order: random.choose([null, 0, 1, 2, 5]) };
        const codecs =
          zarrFormat === 3
            ? [{ name: 'numcodecs.pcodec', configuration: codec }]
            : { compressor: { id: 'pcodec', ...codec }, filters: null };
        const request = { shape: [37, 50], chunkShape: [20, 30], dtype, codecs };
        const array = await hierarchies[zarrFormat].createArray(`/${name}`, request, { zarrFormat });
        // The highest bits are zero, so that no number is NaN, whose payload a number type does not keep.
        const itemBytes = Number(/\d+/.exec(dtype)?.[0]) / 8;
        const bytes = Uint8Array.from({ length: 37 * 50 * itemBytes }, (_, i) => (i % itemBytes < kept ? random.int(0, 255) & (i % itemBytes === itemBytes - 1 ? 0x3f : 0xff) : 0)); // prettier-ignore
        const selection = array.select();
        await selection.write({
          shape: [37, 50],
          data: toTypedArray({ dtype: numberType(dtype), shape: [37, 50], bytes }),
        });
        expected[join(path, `v${zarrFormat}`, name)] = Buffer.from(bytes).toString('base64');
      }
  const command = 'command' in python ? python.command : '';
  const { stdout } = await runScript(command, 'read_pcodec.py', [], JSON.stringify(expected));
  expect(stdout.trim()).toBe(String(types.length * 2 * 3));
});
