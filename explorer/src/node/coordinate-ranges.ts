/** The first and last values of coordinates. */
import type { VariableInfo } from 'zarrql-client';
import { labelsOf } from '../array/labels.js';
import { client } from '../gateway/client.js';

/** Maximum number of coordinates read. */
const MAX_COORDINATES = 20;

/** By name; omits coordinates that cannot be read or have more than one dimension. */
export async function rangesOf(
  store: string,
  group: string,
  variables: readonly VariableInfo[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const coordinates = variables.filter(
    ({ kind, shape }) => kind === 'COORDINATE' && shape.length === 1 && Number(shape[0]) > 0,
  );
  const ranges = await Promise.all(
    coordinates.slice(0, MAX_COORDINATES).map(async ({ name, dimensions: [dim = ''] }) => {
      try {
        const values = await client
          .store(store)
          .dataset(group)
          .variable(name)
          .slice({ [dim]: { indices: [0, -1] } }, { coordinates: false, signal });
        const labels = labelsOf(values);
        return [[name, `${labels.text(0)} … ${labels.text(1)}`] as const];
      } catch {
        signal.throwIfAborted();
        return [];
      }
    }),
  );
  return new Map(ranges.flat());
}
