/** Hand-written stores: documents as JSON values (text is stored as is), chunks as bytes. */
import {
  createMemoryStore,
  openHierarchy,
  toTypedArray,
  type Hierarchy,
  type KeyStore,
  type ZarrArray,
} from '../../server/zarr/index.js';
import { expectCase } from '../conformance/cases.js';
import { matrixArray, matrixFolder, objectsOfCase } from '../conformance/matrix.js';

export type SmallStore = Readonly<Record<string, unknown>>;

export async function storeOf(objects: SmallStore): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'small' });
  for (const [key, value] of Object.entries(objects)) {
    const bytes =
      value instanceof Uint8Array
        ? value
        : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    await store.set(key, new Uint8Array(bytes));
  }
  return store;
}

export async function hierarchyOf(objects: SmallStore): Promise<Hierarchy> {
  return openHierarchy(await storeOf(objects));
}

export async function arrayOf(objects: SmallStore, path = '/'): Promise<ZarrArray> {
  return (await hierarchyOf(objects)).array(path);
}

/** All values, as plain lists; bytes as Latin-1 text. */
export async function valuesOf(array: ZarrArray): Promise<unknown[]> {
  const data = toTypedArray(await array.select({ kind: 'all' }).read());
  return Array.from<unknown>(data).map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}

export async function readValues(objects: SmallStore): Promise<unknown[]> {
  return valuesOf(await arrayOf(objects));
}

/** The code of the error in opening or reading; undefined on success. */
export async function errorOf(objects: SmallStore): Promise<unknown> {
  return readValues(objects).then(
    () => undefined,
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
}

export function v2(fields: Record<string, unknown>): Record<string, unknown> {
  const shape = Array.isArray(fields['shape']) ? fields['shape'] : [2];
  return {
    zarr_format: 2,
    shape,
    chunks: shape,
    dtype: '<i4',
    compressor: null,
    filters: null,
    fill_value: 0,
    order: 'C',
    ...fields,
  };
}

export function v3(fields: Record<string, unknown>): Record<string, unknown> {
  const shape = Array.isArray(fields['shape']) ? fields['shape'] : [2];
  return {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: 'int32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: 'default' },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    ...fields,
  };
}

/** JSON text with values that JSON.stringify cannot write: `"@NaN@"` becomes `NaN` without quotes. */
export function bare(document: unknown): string {
  return JSON.stringify(document).replace(/"@([^"]*)@"/g, '$1');
}

export const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
export const hex = (text: string): Uint8Array =>
  Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** Reads a matrix case: bytes written or confirmed by other implementations. */
export function expectMatrixCase(id: string): Promise<void> {
  return expectCase(matrixFolder, matrixArray(id));
}

/** The objects of the store of a matrix case. */
export function matrixObjects(id: string): Record<string, Uint8Array> {
  return Object.fromEntries(objectsOfCase(id));
}
