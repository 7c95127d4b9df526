/** The contract of stores, for references with values in them, and to parts of other files. */
import { createMemoryStore } from '../../server/store/memory.js';
import { createReferencesStore } from '../../server/store/references.js';
import type { KeyStore } from '../../server/store/store.js';
import { withCache } from '../../server/store/with-cache.js';
import { type Contents, describeStore, text } from '../contracts/store.js';

const lacks = { write: 'references are read-only' };

/** @param isInline whether an object is a value of the references */
async function open(contents: Contents, isInline: (index: number) => boolean): Promise<KeyStore> {
  const files = createMemoryStore({ label: 'files' });
  const archive = createMemoryStore({ label: 'archive' });
  let joined = 'x';
  const refs: Record<string, unknown> = {};
  for (const [index, [key, bytes]] of Object.entries(contents).entries()) {
    const content = Buffer.from(bytes).toString('latin1');
    if (isInline(index))
      refs[key] = index % 2 === 0 ? `base64:${Buffer.from(bytes).toString('base64')}` : Buffer.from(bytes).toString(); // prettier-ignore
    else refs[key] = ['s3://archive/a b', joined.length, bytes.length];
    joined += content;
  }
  await archive.set('a b', Buffer.from(`${joined}y`, 'latin1'));
  // Python escapes all characters outside of ASCII.
  const escaped = JSON.stringify({ version: 1, refs }).replace(/[^\0-~]/g, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  await files.set('refs.json', text(escaped));
  const virtual = [{ prefix: 's3://archive/', store: archive }];
  return createReferencesStore({
    label: 'test',
    files,
    key: 'refs.json',
    base: 's3://refs/',
    virtual,
    maxAgeMs: 0,
  });
}

describeStore('references, inline', { open: (contents) => open(contents, () => true), lacks });
describeStore('references, to a file', { open: (contents) => open(contents, () => false), lacks });
describeStore('references, cached', {
  open: async (contents) =>
    withCache(await open(contents, (index) => index % 3 === 0), { maxAgeMs: 0, maxBytes: 1000 }),
  lacks,
});
