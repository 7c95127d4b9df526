/** Persisted documents over HTTP. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type PersistedDocumentsOptions,
  readPersistedDocuments,
} from '../../server/gateway/pipeline/persisted-documents.js';
import { group, type RealGateway, realGateway } from './real-gateway.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const listed = 'query Named($name: String!) { store(name: $name) { name } }';
const other = '{ stores { totalCount } }';
const change = 'mutation { createGroup(input: { store: "data", path: "/x" }) { group { path } } }';

function gatewayWith(persistedDocuments: PersistedDocumentsOptions = {}): Promise<RealGateway> {
  const documents = new Map([
    [`sha256:${sha256(listed)}`, listed],
    ['by-name', other],
    ['changing', change],
  ]);
  return realGateway(
    { data: { 'zarr.json': group() } },
    { gateway: { persistedDocuments: { documents, ...persistedDocuments } } },
  );
}

interface JsonResult {
  readonly data?: {
    readonly gateway?: object;
    readonly store?: { readonly search?: { readonly nodes: readonly object[] } };
  };
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function post(gateway: RealGateway, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const json: JsonResult = JSON.parse(await response.text());
  return { status: response.status, json };
}

const persisted = (hash: string): object => ({ persistedQuery: { version: 1, sha256Hash: hash } });
const strict = { accept: 'application/graphql-response+json' };

describe('a listed document', () => {
  const documentId = `sha256:${sha256(listed)}`;
  const expected = { data: { store: { name: 'data' } } };

  test('is identified by its hash, by POST and by GET', async () => {
    const gateway = await gatewayWith();
    const variables = { name: 'data' };
    expect((await post(gateway, { documentId, variables })).json).toEqual(expected);
    expect((await gateway.get({ documentId, variables: JSON.stringify(variables) })).json).toEqual(expected);
    expect((await post(gateway, { variables, extensions: persisted(sha256(listed)) })).json).toEqual(
      expected,
    );
  });

  test('is identified by a custom id', async () => {
    const gateway = await gatewayWith();
    expect((await gateway.get({ documentId: 'by-name' })).json).toEqual({
      data: { stores: { totalCount: 1 } },
    });
  });

  test('with a mutation is not run by GET', async () => {
    const gateway = await gatewayWith();
    const response = await gateway.get({ documentId: 'changing' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    const { json } = await post(gateway, {
      query: '{ store(name: "data") { search { totalCount nodes { path } } } }',
    });
    expect(json.data?.store?.search?.nodes).toEqual([{ path: '/' }]);
  });

  test('that is unknown is NOT_FOUND', async () => {
    const gateway = await gatewayWith();
    const { status, json } = await post(gateway, { documentId: `sha256:${sha256('x')}` }, strict);
    expect(status).toBe(404);
    expect(json.errors).toHaveLength(1);
    expect(json.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect(json).not.toHaveProperty('data');
  });

  test.each([[5], [''], [['a']], [{}]])('%j is not a valid id', async (id) => {
    const gateway = await gatewayWith();
    const { status, json } = await post(gateway, { documentId: id });
    expect(status).toBe(400);
    expect(json.errors?.[0]?.extensions.code).toBe('BAD_INPUT');
  });
});

describe('only listed documents', () => {
  test('other documents are FORBIDDEN, listed text is not', async () => {
    const gateway = await gatewayWith({ only: true });
    for (const body of [{ query: '{ gateway { version } }' }, { query: listed.replace(' ', '  ') }, {}]) {
      const { status, json } = await post(gateway, body, strict);
      expect(status).toBe(403);
      expect(json.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    }
    expect((await post(gateway, { query: other })).json.data).toBeDefined();
    expect((await post(gateway, { documentId: 'by-name' })).json.data).toBeDefined();
  });

  test('clients cannot register documents', async () => {
    const gateway = await gatewayWith({ only: true });
    const query = '{ gateway { version } }';
    const { json } = await post(gateway, { query, extensions: persisted(sha256(query)) });
    expect(json.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(
      (await post(gateway, { extensions: persisted(sha256(query)) })).json.errors?.[0]?.extensions.code,
    ).toBe('NOT_FOUND');
  });
});

describe('automatic persisted queries', () => {
  const query = '{ gateway { version } }';

  test('a hash is unknown until a request contains it together with the document', async () => {
    const gateway = await gatewayWith();
    const extensions = persisted(sha256(query));
    const first = await post(gateway, { extensions });
    expect(first.json.errors?.[0]?.message).toBe('PersistedQueryNotFound');
    expect((await post(gateway, { query, extensions })).json.data?.gateway).toBeDefined();
    expect((await post(gateway, { extensions })).json.data?.gateway).toBeDefined();
    const byGet = await gateway.get({ extensions: JSON.stringify(extensions) });
    expect(byGet.json.data?.gateway).toBeDefined();
    expect((await gateway.get({ documentId: `sha256:${sha256(query)}` })).json.data?.gateway).toBeDefined();
  });

  test('a wrong hash is rejected and registers nothing', async () => {
    const gateway = await gatewayWith();
    const extensions = persisted(sha256(listed));
    const { status, json } = await post(gateway, { query, extensions });
    expect(status).toBe(400);
    expect(json.errors?.[0]?.extensions.code).toBe('BAD_INPUT');
    const after = await post(gateway, { extensions, variables: { name: 'data' } });
    expect(after.json.data).toEqual({ store: { name: 'data' } });
  });

  test('rejected and too large documents are not registered, and old ones are dropped at the limit', async () => {
    const gateway = await gatewayWith({ automaticBytes: 3000 });
    const persist = async (document: string) => {
      await post(gateway, { query: document, extensions: persisted(sha256(document)) });
      const { json } = await post(gateway, { extensions: persisted(sha256(document)) });
      return json.errors === undefined;
    };
    expect(await persist('{ gateway { nothing } }')).toBe(false);
    expect(await persist(`{ gateway { version } } # ${'x'.repeat(3000)}`)).toBe(false);
    for (let i = 0; i < 20; i++) expect(await persist(`{ a${i}: gateway { version } }`)).toBe(true);
    const first = '{ a0: gateway { version } }';
    expect((await post(gateway, { extensions: persisted(sha256(first)) })).json.errors).toHaveLength(1);
  });
});

describe('the file', () => {
  const file = (content: unknown): string => {
    const folder = folderOfTest('documents');
    const path = join(folder, 'documents.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  test('is a map, or a manifest of operations', () => {
    const byHash = new Map([[`sha256:${sha256(listed)}`, listed]]);
    expect(readPersistedDocuments(file({ [sha256(listed)]: listed }))).toEqual(byHash);
    expect(readPersistedDocuments(file({ [`sha256:${sha256(listed)}`]: listed }))).toEqual(byHash);
    const manifest = {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: sha256(listed), name: 'Named', type: 'query', body: listed }],
    };
    expect(readPersistedDocuments(file(manifest))).toEqual(byHash);
  });

  test('that is invalid prevents startup', async () => {
    expect(() => readPersistedDocuments(file('{'))).toThrow('not valid JSON');
    expect(() => readPersistedDocuments(file({ a: 1 }))).toThrow('expected a JSON object');
    expect(() => readPersistedDocuments('/nowhere/x.json')).toThrow('cannot be read');
    const documents = new Map([[`sha256:${sha256('x')}`, listed]]);
    await expect(gatewayWith({ documents })).rejects.toThrow('does not match its id');
  });
});
