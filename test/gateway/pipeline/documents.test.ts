/** The document cache: only valid documents, limited in bytes. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GraphQLError, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { memoryGateway } from '../../resolvers/gateway-client.js';
import { parseConfig } from '../../../server/config.js';
import { createDocuments } from '../../../server/gateway/pipeline/documents.js';
import { fullAccess } from '../../../server/index.js';
import { gatewaySchema } from '../../../server/resolvers/schema.js';

const execute = async (
  query: string,
  gateway: Awaited<ReturnType<typeof memoryGateway>>,
): Promise<unknown> => {
  const { errors } = await gateway.execute({ document: query }, fullAccess);
  return errors?.[0] instanceof GraphQLError ? errors[0].extensions['code'] : undefined;
};

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Bytes in use after garbage collection. */
function heapBytes(): number {
  if (typeof collect !== 'function') throw new TypeError('garbage collection is unavailable');
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage().heapUsed;
}

test('memory returns to its level after rejected documents, and is bounded after others', async () => {
  const gateway = await memoryGateway({});
  const padding = 'x'.repeat(500_000);
  const rounds = async (document: (i: number) => string): Promise<number> => {
    const before = heapBytes();
    for (let i = 0; i < 150; i++) await execute(document(i), gateway);
    return heapBytes() - before;
  };
  await rounds((i) => `{ gateway { version } } # ${i}`);
  expect(await rounds((i) => `{ unknown${i} } # ${padding}`)).toBeLessThan(10e6);
  expect(await rounds((i) => `{ syntax${i} ( # ${padding}`)).toBeLessThan(10e6);
  expect(await rounds((i) => `{ a${i}: gateway { version } } # ${padding}`)).toBeLessThan(50e6);
});

test('rejected documents are rejected again, valid ones stay valid', async () => {
  const gateway = await memoryGateway({});
  for (let i = 0; i < 3; i++) {
    expect(await execute('{ gateway { version } }', gateway)).toBeUndefined();
    expect(await execute('{ gateway { nothing } }', gateway)).toBe('BAD_INPUT');
    expect(await execute('{ gateway {', gateway)).toBe('BAD_INPUT');
    expect(await execute(`{ ${'gateway { version } '.repeat(200)} }`, gateway)).toBe('LIMIT_EXCEEDED');
  }
});

const aliased = (fields: (i: number) => string): string =>
  `{ store(name: "s") { array(path: "a") { ${Array.from({ length: 300 }, (_, i) => fields(i)).join(' ')} } } }`;

test('a long document is checked in several turns, and is then remembered', async () => {
  const { limits } = parseConfig({});
  const documents = createDocuments({ schema: gatewaySchema(), limits, introspection: true });
  const text = aliased((i) => `s${i}: slice(select: { text: "${i}" }) { values }`);
  let turns = 0;
  let isChecked = false;
  const count = (): void => {
    turns += 1;
    if (!isChecked) setImmediate(count);
  };
  setImmediate(count);
  const checking = documents.check(text);
  expect(checking).toBeInstanceOf(Promise);
  const { known, errors } = await checking;
  isChecked = true;
  expect(turns).toBeGreaterThanOrEqual(4);
  expect(errors).toEqual([]);
  expect(documents.check(text)).toEqual({ known, errors: [] });
  expect(documents.parse(text)).toBe(known);
  expect(documents.check('{ gateway { version } }')).not.toBeInstanceOf(Promise);
});

test('the errors of a long document are those of all rules', async () => {
  const { limits } = parseConfig({});
  const schema = gatewaySchema();
  const documents = createDocuments({ schema, limits, introspection: true });
  const faults = [
    'nothing',
    'slice(unknown: 1) { values }',
    'slice(select: { text: 1 }) { values }',
    'shape { x }',
    'slice { values @nothing }',
    'slice { ...Missing }',
    's1: shape',
    'slice(select: { text: $v }) { values }',
    'slice(select: { text: "0", text: "1" }) { values }',
  ];
  for (const fault of faults) {
    const text = aliased((i) => `s${i}: slice(select: { text: "${i}" }) { values }`).replace('} } }', `} ${fault} } }`); // prettier-ignore
    const { errors } = await documents.check(text);
    const messages = errors.map(({ message }) => message).toSorted();
    expect(messages.length).toBeGreaterThan(0);
    expect(messages).toEqual(
      validate(schema, parse(text))
        .map(({ message }) => message)
        .toSorted(),
    );
    expect(documents.isRemembered(text)).toBe(false);
  }
  const syntax = `${aliased((i) => `s${i}: slice(select: { text: "${i}" }) { values }`)} }`;
  await expect(documents.check(syntax)).rejects.toThrow('Syntax Error');
  await expect(documents.check(aliased(() => 's: slice { values }').padEnd(20_000))).rejects.toThrow(
    'maxRepeats',
  );
});
