/**
 * Number of stores that are probed at the same time. The time of each is limited, and would include the work for the
 * others: local stores wait for the processor, and remote ones for the network.
 */
const LOCAL_AT_ONCE = 32;
const REMOTE_AT_ONCE = 1000;

/** Probes many stores, some at a time. @throws the first error, before the others have ended */
export async function probeEach<T>(
  stores: readonly T[],
  isLocal: (store: T) => boolean,
  probe: (store: T) => Promise<void>,
): Promise<void> {
  const workersOf = (some: readonly T[], count: number): Promise<void>[] => {
    // All workers share one iterator.
    const rest = some.values();
    const worker = async (): Promise<void> => {
      for (const store of rest) await probe(store);
    };
    return Array.from({ length: Math.min(count, some.length) }, worker);
  };
  await Promise.all([
    ...workersOf(stores.filter(isLocal), LOCAL_AT_ONCE),
    ...workersOf(
      stores.filter((store) => !isLocal(store)),
      REMOTE_AT_ONCE,
    ),
  ]);
}
