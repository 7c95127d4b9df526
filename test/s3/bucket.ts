/** Buckets of a test server, and stores on them. */
import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { createS3Store } from '../../server/store/s3.js';
import type { S3StoreOptions } from '../../server/store/s3.js';
import type { KeyStore } from '../../server/store/store.js';
import type { S3Server } from './server.js';

export function clientOf({ endpoint, credentials }: S3Server): S3Client {
  return new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
}

/** @returns the name of a new, empty bucket */
export async function createBucket(server: S3Server): Promise<string> {
  const Bucket = `zarrql-${randomBytes(8).toString('hex')}`;
  const client = clientOf(server);
  await client.send(new CreateBucketCommand({ Bucket }));
  client.destroy();
  return Bucket;
}

/** @param location a bucket and a prefix. The option `endpoint` selects a proxy in front of the server */
export function storeOn(
  { endpoint, credentials }: S3Server,
  location: string,
  options: Partial<S3StoreOptions> = {},
): KeyStore {
  const known = { label: 'test', endpoint, credentials, region: 'us-east-1', retryBaseMs: 1 };
  return createS3Store({ ...known, url: `s3://${location}`, ...options });
}
