/**
 * The codec chains that a decoding thread has bound. Chains with added codecs wait until their modules are
 * imported.
 */
import { resolveChain } from '../format/codec/chain.js';
import { type Codec, type CodecChain, isCodec } from '../format/codec/codec.js';
import { createDefaultRegistry } from '../format/codec/registry.js';
import { CodecError, UnsupportedError } from '../core/errors.js';
import type { ChainMessage, NamedModule } from './protocol.js';

type Result<T> = { readonly value: T } | { readonly error: unknown };

export class ThreadChains {
  readonly #chains = new Map<number, Result<CodecChain>>();
  /** Imported codecs by module, including failed imports, because a module is imported only once. */
  readonly #codecs = new Map<string, Result<Codec>>();
  /** Jobs that arrived during an import, in order; undefined if no import is in progress. */
  #waiting: (() => void)[] | undefined;

  /** Runs `work` immediately, or after the imports in progress. */
  run(work: () => void): void {
    if (this.#waiting === undefined) work();
    else this.#waiting.push(work);
  }

  /** Binds a chain. Errors are thrown by `get`, so that they fail the chunks and not the thread. */
  add(message: ChainMessage): void {
    const missing = message.modules.filter((module) => !this.#codecs.has(keyOf(module)));
    if (missing.length === 0) return this.#bind(message);
    this.#waiting = [];
    const resume = (): void => this.#resume(message);
    Promise.all(missing.map((module) => this.#import(module))).then(resume, resume);
  }

  /** @throws the error from binding the chain */
  get(id: number): CodecChain {
    const chain = this.#chains.get(id);
    if (chain === undefined) throw new CodecError(`unknown codec chain ${id}`);
    return valueOf(chain);
  }

  clear(): void {
    this.#chains.clear();
  }

  #bind({ id, specs, rep, modules }: ChainMessage): void {
    this.#chains.set(
      id,
      attempt(() => {
        const added = modules.map((module) => [module.name, this.#codec(module)] as const);
        return resolveChain(createDefaultRegistry(added), specs, rep);
      }),
    );
  }

  #codec(module: NamedModule): Codec {
    const codec = this.#codecs.get(keyOf(module));
    if (codec === undefined) throw new CodecError(`codec "${module.name}": its module was not imported`);
    return valueOf(codec);
  }

  async #import(module: NamedModule): Promise<void> {
    const result = await importCodec(module).then(
      (value): Result<Codec> => ({ value }),
      (error: unknown): Result<Codec> => ({ error }),
    );
    this.#codecs.set(keyOf(module), result);
  }

  #resume(message: ChainMessage): void {
    const works = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#bind(message);
    // A job may start another import; the jobs after it must then wait again.
    for (const work of works) this.run(work);
  }
}

function keyOf({ url, export: name }: NamedModule): string {
  return `${name} ${url}`;
}

function attempt<T>(run: () => T): Result<T> {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

function valueOf<T>(result: Result<T>): T {
  if ('error' in result) throw result.error;
  return result.value;
}

/** Maximum time, in milliseconds, to import a module, and again to load its codec. */
const IMPORT_TIMEOUT_MS = 20_000;

/**
 * Imports an added codec. The reason for a failure is only printed as a warning of the process, because it may contain paths, which
 * clients must not see.
 * @throws UnsupportedError if the import fails
 */
async function importCodec({ name, url, export: exported }: NamedModule): Promise<Codec> {
  try {
    const module: unknown = await withinTime(import(url));
    const codec: unknown = typeof module === 'object' && module !== null && Reflect.get(module, exported);
    if (isCodec(codec)) {
      await withinTime(codec.load?.() ?? Promise.resolve());
      return codec;
    }
    throw new TypeError(`its export "${exported}" is not a codec`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    process.emitWarning(`codec "${name}": a decoding thread could not import ${url}: ${why}`);
    throw new UnsupportedError(`codec "${name}": its module could not be imported by a decoding thread`, {
      cause,
    });
  }
}

/** The import has a time limit, because a module may contain a top-level await. */
async function withinTime<T>(importing: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${IMPORT_TIMEOUT_MS} ms`)), IMPORT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([importing, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
