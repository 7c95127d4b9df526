import { z } from 'zod';
import { byteCount, count, toggle } from './values.js';

/** Caching of responses by clients and shared caches, per store. */
export const cacheControlOption = z
  .strictObject({
    maxAgeSeconds: count(0, 31_536_000, 'a number of seconds'),
    public: toggle().default(false),
    immutable: toggle().default(false),
  })
  .exactOptional()
  .meta({
    default: 'none',
    description: 'Caching of responses to GET: `{ maxAgeSeconds: 60 }`, `public`, `immutable`',
  });

/* Options for access by clients: accepted documents, compression, and limits per client. */
export const accessOptions = {
  persistedDocuments: z.string().min(1, 'expected the path of a file').optional().meta({
    placeholder: 'FILE',
    description: 'JSON file of documents by hash (or id), to which clients refer by `documentId`',
  }),
  documentMode: z.enum(['any', 'listed'], { error: 'expected "any" or "listed"' }).default('any').meta({
    placeholder: 'MODE',
    description: '`listed` rejects all documents except those of `persistedDocuments`',
  }),
  automaticDocumentBytes: byteCount(0, 2 ** 30)
    .default(4 * 2 ** 20)
    .meta({
      unit: 'bytes',
      description:
        'Memory for documents that clients persist themselves (automatic persisted queries); 0 for none',
    }),
  compression: toggle().default(true).meta({ description: 'Compress responses for clients that accept it' }),
  trustedProxies: count(0, 10).default(0).meta({
    unit: 'proxies',
    description:
      'Number of proxies in front. Clients are identified by the addresses in their `X-Forwarded-For`',
  }),
  requestMemoryBytes: byteCount(16 * 2 ** 20, 2 ** 50)
    .optional()
    .meta({
      unit: 'bytes',
      default: 'depends on the machine',
      description: 'Memory that all requests together may hold; further requests wait',
    }),
  memoryWaitMs: count(0, 600_000).default(20_000).meta({
    unit: 'ms',
    description: 'Maximum time that a request waits for memory; then it fails with 503',
  }),
  minClientBytesPerSecond: count(0, 2 ** 30)
    .default(32 * 1024)
    .meta({
      unit: 'bytes a second',
      description:
        'Minimum rate at which a client must read a large response; slower clients are disconnected. 0 for any rate',
    }),
  maxClientSubscriptions: count(1, 1_000_000).default(100).meta({
    unit: 'subscriptions',
    description: 'Concurrent subscriptions of one client (identified by token, else by address)',
  }),
  maxClientRequests: count(0, 1_000_000).default(0).meta({
    unit: 'requests',
    description: 'Concurrent requests of one client (identified by token, else by address); 0 for no limit',
  }),
  maxClientCost: count(0, 1_000_000_000).default(0).meta({
    unit: 'units per minute',
    description: 'Cost of the requests of one client per minute; 0 for no limit',
  }),
};
