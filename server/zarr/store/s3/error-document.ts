/** S3's error documents: `<Error><Code>SlowDown</Code>...</Error>`. */

export interface ErrorDocument {
  readonly code: string;
  readonly region: string | undefined;
}

/** Maximum size of an error document in bytes. */
export const MAX_ERROR_BYTES = 64 * 1024;

const root = /^\s*(?:<\?xml[^>]*\?>)?\s*<Error[\s>]/;

/** undefined if the bytes are not an error document. */
export function parseErrorDocument(bytes: Uint8Array): ErrorDocument | undefined {
  const text = new TextDecoder().decode(bytes);
  if (!root.test(text)) return undefined;
  const code = /<Code>\s*([A-Za-z0-9.]{1,64})\s*<\/Code>/.exec(text)?.[1];
  const region = /<Region>\s*([a-z0-9-]{1,64})\s*<\/Region>/.exec(text)?.[1];
  return code === undefined ? undefined : { code, region };
}

/** Whether the bytes may be the start of an error document. */
export function mayBeErrorDocument(bytes: Uint8Array): boolean {
  return root.test(new TextDecoder().decode(bytes.subarray(0, 200)));
}
