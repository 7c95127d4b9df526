import { expect, test } from 'vitest';
import { arrayDocument, execute, memoryGateway } from '../gateway-client.js';

const variables = 40;

/** Executes a query of all variables with this number of fields. @returns the turns of the event loop that it took */
async function turnsOf(fields: number): Promise<number> {
  const documents = Object.fromEntries(
    Array.from({ length: variables }, (_, i) => [
      `v${i}/zarr.json`,
      arrayDocument('uint8', [4], { dimension_names: ['x'] }),
    ]),
  );
  const gateway = await memoryGateway({
    'zarr.json': { zarr_format: 3, node_type: 'group', attributes: {} },
    ...documents,
  });
  const query = `{ store(name: "m") { dataset { variables { ${Array.from({ length: fields }, (_, i) => `a${i}: name`).join(' ')} } } } }`;
  await execute(gateway, query);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const { data, errors } = await execute(gateway, query);
  isOver = true;
  expect(errors).toEqual([]);
  expect(data.store.dataset.variables).toHaveLength(variables);
  return turns;
}

test('variables with hundreds of fields start in separate turns of the event loop, others together', async () => {
  // The first variable starts at once.
  expect(await turnsOf(200)).toBeGreaterThanOrEqual(variables - 1);
  expect(await turnsOf(2)).toBeLessThan(variables / 2);
});
