import * as operations from '../generated/operations.js';
import { nestedDocument } from '../transport/variables.js';
import { hashOf } from '../transport/persisted.js';

/**
 * The documents of this package by their hashes, in the form that a gateway's option `persistedDocuments` takes: for
 * gateways that answer listed documents alone, asked by `createClient({ persisted: true })`. Cuts of cuts of a dataset
 * are there up to three deep.
 */
export async function sdkDocuments(): Promise<Record<string, string>> {
  const texts = Object.entries(operations).flatMap(([name, document]) =>
    name.endsWith('Document') ? [String(document)] : [],
  );
  const cuts = [operations.DatasetSlicesDocument, operations.DatasetSlicesBase64Document].flatMap(
    ({ text }) => [2, 3].map((depth) => nestedDocument(text, depth)),
  );
  const entries = [...texts, ...cuts].map(async (text): Promise<[string, string]> => [
    `sha256:${await hashOf(text)}`,
    text,
  ]);
  return Object.fromEntries(await Promise.all(entries));
}
