/** A bucket of the S3 server of the tests, with copies of folders. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineEntry } from '../folders.mjs';

export const bucket = 'bench';

/** Environment variables with the server and its keys, for all engines. */
export function environmentOf({ endpoint, credentials }) {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
}

/** Creates the bucket, and copies folders into it. @param folders by the prefix of their objects */
export async function fillBucket(folders) {
  const { S3Client, CreateBucketCommand } = await import('@aws-sdk/client-s3');
  await new S3Client({ forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: bucket }));
  const { openStoreFromUrl } = await import(engineEntry);
  for (const [prefix, folder] of Object.entries(folders)) {
    console.error(`copying ${prefix} into the bucket ...`);
    const store = openStoreFromUrl('bench', `s3://${bucket}/${prefix}`, { readonly: false });
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) await store.set(path.slice(folder.length + 1), readFileSync(path));
    }
    await store.close();
  }
}
