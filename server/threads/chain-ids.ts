/** Identifies the codec chains that a thread has bound: each is sent once and then referenced by number. */
import type { CodecChain } from '../format/codec/codec.js';
import type { NamedModule, ToWorker } from './protocol.js';

/** Maximum number of chains per thread. If it is exceeded, the thread discards all of them. */
const MAX_CHAINS = 1000;

/** @param nextId returns an unused number */
export function createChainIds(
  nextId: () => number,
  post: (message: ToWorker) => void,
): (chain: CodecChain) => number {
  let known = new WeakMap<CodecChain, number>();
  let count = 0;
  return (chain) => {
    const knownId = known.get(chain);
    if (knownId !== undefined) return knownId;
    if (++count > MAX_CHAINS) {
      known = new WeakMap();
      count = 1;
      post({ kind: 'forget' });
    }
    const id = nextId();
    known.set(chain, id);
    post({ kind: 'chain', id, specs: chain.specs, rep: chain.rep, modules: modulesOf(chain) });
    return id;
  };
}

function modulesOf({ modules }: CodecChain): readonly NamedModule[] {
  return [...(modules ?? [])].map(([name, module]) => ({
    name,
    url: String(module.url),
    export: module.export,
  }));
}
