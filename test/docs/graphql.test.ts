/**
 * Every GraphQL block of the documentation is valid, runs against the sample stores, and returns the next JSON block
 * (after a block of variables, if any).
 */
import { parse, validate } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway, errorTable, fullAccess } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { ask } from '../resolvers/gateway-client.js';
import { type CodeBlock, codeBlocks, readText, sampleStores } from './samples.js';

const gateway = sampleStores();
/** Writable store for mutation examples. */
const scratch = createGateway({
  stores: [{ name: 'scratch', store: createMemoryStore({ label: 'scratch' }), writable: true }],
});
afterAll(() => Promise.all([gateway.close(), scratch.close()]));

interface Example {
  readonly query: CodeBlock;
  readonly variables: CodeBlock | undefined;
  readonly answer: CodeBlock | undefined;
}

function examplesOf(file: string): [string, Example][] {
  const blocks = codeBlocks(readText(file));
  return blocks.flatMap((query, i): [string, Example][] => {
    if (query.info !== 'graphql') return [];
    const next = blocks[i + 1];
    const variables = next?.info === 'json variables' ? next : undefined;
    const answer = variables === undefined ? next : blocks[i + 2];
    return [
      [`line ${query.line}`, { query, variables, answer: answer?.info === 'json' ? answer : undefined }],
    ];
  });
}

interface Shown {
  readonly data?: unknown;
  readonly errors?: readonly { readonly path?: readonly unknown[] }[];
}

/** Ignores the order of errors and their locations in the document. */
function comparable({ data, errors = [] }: Shown): unknown {
  const plain = errors.map((error) => ({ ...error, locations: undefined }));
  return { data, errors: plain.toSorted((a, b) => (String(a.path) < String(b.path) ? -1 : 1)) };
}

describe.each([
  ['README.md', 2],
  ['docs/graphql.md', 11],
  ['docs/analysis.md', 9],
  ['docs/pictures.md', 2],
])('%s', (file, atLeast) => {
  const examples = examplesOf(file);

  test('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(atLeast);
  });

  test.each(examples)('the example of %s', async (_, { query, variables, answer }) => {
    expect(validate(gateway.schema, parse(query.code))).toEqual([]);
    const given: unknown = variables === undefined ? undefined : JSON.parse(variables.code);
    const { text } = await ask(query.code.includes('"scratch"') ? scratch : gateway, query.code, given);
    if (answer === undefined) throw new Error('an example without a response');
    expect(comparable(JSON.parse(text))).toEqual(comparable(JSON.parse(answer.code)));
  });
});

// Runs after the examples above, which create the nodes.
test('the events of docs/graphql.md', async () => {
  const blocks = codeBlocks(readText('docs/graphql.md'));
  const start = blocks.findIndex(({ info }) => info === 'graphql subscription');
  const [subscription, change, events] = blocks.slice(start, start + 3).map(({ code }) => code);
  const response = await scratch.fetch(
    new Request(`http://localhost/graphql?query=${encodeURIComponent(subscription ?? '')}`, {
      headers: { accept: 'text/event-stream' },
    }),
    fullAccess,
  );
  const { errors } = await ask(scratch, change ?? '');
  expect(errors).toEqual([]);
  scratch.endStreams();
  expect(await response.text()).toBe(`:\n\n${events}\nevent: complete\ndata: \n\n`);
});

test('docs/graphql.md explains every code', () => {
  const text = readText('docs/graphql.md');
  expect(Object.keys(errorTable).filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});
