/** Paging through a store that changes: remaining nodes are neither skipped nor repeated. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ask } from '../gateway-client.js';
import { gatewayOf } from '../mutating.js';

const page = `query ($after: String) {
  store(name: "m") { group { members(first: 2, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } } }
}`;

const name = fc.integer({ min: 0, max: 9 }).map((digit) => `n${digit}`);
const edits = fc.array(fc.array(fc.record({ makes: fc.boolean(), name }), { maxLength: 4 }), {
  maxLength: 6,
});

test('every remaining member is returned once, in order', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { maxLength: 8 }),
      edits,
      fc.boolean(),
      async (first, between, consolidated) => {
        const gateway = gatewayOf();
        const change = async (field: string) => ask(gateway, `mutation { ${field} { path } }`);
        const make = (one: string) =>
          change(`createGroup(input: { store: "m", path: "${one}", ifExists: KEEP })`);
        await change('createGroup(input: { store: "m" })');
        if (consolidated) await change('consolidateMetadata(input: { store: "m" })');
        for (const one of first) await make(one);

        const seen: string[] = [];
        const touched = new Set<string>();
        const rounds = [...between];
        let after: string | null = null;
        for (;;) {
          const { data, errors } = await ask(gateway, page, { after });
          expect(errors).toEqual([]);
          const { nodes, pageInfo } = data.store.group.members;
          seen.push(...nodes.map((node: { name: string }) => node.name));
          if (pageInfo.hasNextPage !== true) break;
          after = pageInfo.endCursor;
          for (const { makes, name: one } of rounds.shift() ?? []) {
            touched.add(one);
            await (makes ? make(one) : change(`deleteNode(input: { store: "m", path: "${one}" })`));
          }
        }
        expect(seen).toEqual([...new Set(seen)].toSorted());
        const stayed = first.filter((one) => !touched.has(one)).toSorted();
        expect(seen.filter((one) => stayed.includes(one))).toEqual(stayed);
        await gateway.close();
      },
    ),
    { numRuns: 25 },
  );
});
