import * as catalog from '../generated/catalog.js';
import * as operations from '../generated/operations.js';
import { hashOf } from '../transport/persisted.js';
import { nestedDocument } from '../transport/variables.js';

/** Maximum number of nested `select` calls on a dataset in the list. */
const MAX_CUTS = 3;

/**
 * The documents of this package by their hashes, for the gateway option `persistedDocuments`. A gateway that accepts
 * only listed documents then serves `createClient({ persisted: true })`. Covers up to three nested `select` calls on a
 * dataset.
 *
 * @example
 * await writeFile('documents.json', JSON.stringify(await sdkDocuments()));
 */
export async function sdkDocuments(): Promise<Record<string, string>> {
  const texts = Object.entries({ ...operations, ...catalog }).flatMap(([name, document]) =>
    name.endsWith('Document') ? [String(document)] : [],
  );
  const { DatasetSlicesDocument, DatasetSlicesBase64Document } = operations;
  const depths = Array.from({ length: MAX_CUTS - 1 }, (_, i) => i + 2);
  const cuts = [DatasetSlicesDocument, DatasetSlicesBase64Document].flatMap(({ text }) =>
    depths.map((depth) => nestedDocument(text, depth)),
  );
  const entries = [...texts, ...cuts].map(async (text): Promise<[string, string]> => [
    `sha256:${await hashOf(text)}`,
    text,
  ]);
  return Object.fromEntries(await Promise.all(entries));
}
