/** Writes Icechunk repositories of specification version 2 with the official library, into a map of objects. */
import { instantiateNapiModule } from '@emnapi/core';
import { createContext } from '@emnapi/runtime';
import type * as Icechunk from '@earthmover/icechunk-wasm32-wasi';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createMemoryStore, get, type KeyStore } from '../../../server/zarr/index.js';

async function load(): Promise<typeof Icechunk> {
  const emit = process.emitWarning;
  process.emitWarning = () => {};
  const { WASI } = await import('node:wasi');
  process.emitWarning = emit;
  const memory = new WebAssembly.Memory({ initial: 4000, maximum: 8192, shared: true });
  const file = fileURLToPath(
    import.meta.resolve('@earthmover/icechunk-wasm32-wasi/icechunk.wasm32-wasi.wasm'),
  );
  const { napiModule } = await instantiateNapiModule(await readFile(file), {
    context: createContext(),
    asyncWorkPoolSize: 1,
    reuseWorker: true,
    wasi: new WASI({ version: 'preview1', env: {}, preopens: {} }),
    onCreateWorker() {
      const entry = new URL('../../../server/store/icechunk/wasi-thread.ts', import.meta.url);
      const worker = new Worker(entry, { execArgv: [] });
      worker.unref();
      return worker;
    },
    overwriteImports: (imports) => ({
      ...imports,
      env: { ...imports['env'], ...imports['napi'], ...imports['emnapi'], memory },
    }),
    beforeInit({ instance }) {
      for (const [name, register] of Object.entries(instance.exports))
        if (name.startsWith('__napi_register__') && typeof register === 'function')
          Reflect.apply(register, undefined, []);
    },
  });
  return napiModule.exports;
}

let library: Promise<typeof Icechunk> | undefined;

/** The objects of a repository that is being written. */
export class Objects extends Map<string, Uint8Array> {
  #writes = 0;

  /** The storage of the library over this map. */
  storage() {
    const version = () => ({ etag: String(++this.#writes) });
    const read = (path: string): Buffer => {
      const bytes = this.get(path);
      if (bytes === undefined) throw new Error(`ObjectNotFound: ${path}`);
      return Buffer.from(bytes);
    };
    return {
      canWrite: async () => true,
      getObjectRange: async (
        _: null,
        { path, rangeStart, rangeEnd }: Icechunk.StorageGetObjectRangeArgs,
      ) => ({
        data: read(path).subarray(rangeStart ?? 0, rangeEnd),
        version: version(),
      }),
      getObjectConditional: async (_: null, { path }: Icechunk.StorageGetObjectConditionalArgs) => ({
        kind: 'modified',
        data: read(path),
        newVersion: version(),
      }),
      putObject: async (_: null, { path, data }: Icechunk.StoragePutObjectArgs) => {
        this.set(path, new Uint8Array(data));
        return { kind: 'updated', newVersion: version() };
      },
      copyObject: async (_: null, { from, to }: Icechunk.StorageCopyObjectArgs) => {
        this.set(to, new Uint8Array(read(from)));
        return { kind: 'updated', newVersion: version() };
      },
      listObjects: async () => [],
      deleteBatch: async () => ({ deletedObjects: 0, deletedBytes: 0 }),
      getObjectLastModified: async () => new Date(),
    };
  }

  /** The same objects as a store. */
  async store(label: string): Promise<KeyStore> {
    const store = createMemoryStore({ label });
    for (const [key, bytes] of this) await store.set(key, bytes);
    return store;
  }
}

export interface Written {
  readonly objects: Objects;
  readonly repository: Icechunk.Repository;
}

export async function createRepository(): Promise<Written> {
  library ??= load();
  const { Repository, Storage } = await library;
  const objects = new Objects();
  // The types of the library omit the null before the arguments of callbacks.
  const storage: Icechunk.Storage = Reflect.apply(Storage.newCustom, Storage, [objects.storage()]);
  return { objects, repository: await Repository.create(storage) };
}

/** The library over a store, for changes that zarrql does not make. */
export async function openRepository(files: KeyStore): Promise<Written> {
  library ??= load();
  const { Repository, Storage } = await library;
  const objects = new Objects();
  for await (const { key } of files.walk('')) {
    const value = await get(files, key);
    if (value !== undefined) objects.set(key, value.bytes);
  }
  const backend = objects.storage();
  const { putObject } = backend;
  const storage: Icechunk.Storage = Reflect.apply(Storage.newCustom, Storage, [
    {
      ...backend,
      async putObject(_: null, args: Icechunk.StoragePutObjectArgs) {
        await files.set(args.path, args.data);
        return putObject(_, args);
      },
    },
  ]);
  return { objects, repository: await Repository.open(storage) };
}

const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Commits keys to a branch. @param values bytes, or JSON for documents @returns the id of the snapshot */
export async function commit(
  { repository }: Written,
  message: string,
  values: Readonly<Record<string, unknown>>,
  branch = 'main',
): Promise<string> {
  const session = await repository.writableSession(branch);
  for (const [key, value] of Object.entries(values))
    await session.store.set(key, value instanceof Uint8Array ? Buffer.from(value) : text(value));
  return session.commit(message);
}

export const group = (attributes: object = {}) => ({ zarr_format: 3, node_type: 'group', attributes });

export const array = (shape: readonly number[], chunks: readonly number[], attributes: object = {}) => ({
  zarr_format: 3,
  node_type: 'array',
  shape,
  data_type: 'float32',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: chunks } },
  chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
  fill_value: 0,
  codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  attributes,
});

export function floats(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}
