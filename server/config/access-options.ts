import { z } from 'zod';
import { byteCount, count, toggle } from './values.js';

/** Of one store: what clients and caches in between may do with answers about it. */
export const cacheControlOption = z
  .strictObject({
    maxAgeSeconds: count(0, 31_536_000, 'a number of seconds'),
    public: toggle().default(false),
  })
  .exactOptional()
  .meta({
    default: 'none',
    description:
      'How long answers by GET may be used without asking again: `{ maxAgeSeconds: 60 }`, and with `public: true` also by caches that serve many people',
  });

/* Options about how clients reach the gateway: which documents, in what form, how much of it. */
export const accessOptions = {
  persistedDocuments: z.string().min(1, 'expected the path of a file').optional().meta({
    placeholder: 'FILE',
    description: 'JSON file of documents by their hash (or an id), which clients may name by `documentId`',
  }),
  documentMode: z.enum(['any', 'listed'], { error: 'expected "any" or "listed"' }).default('any').meta({
    placeholder: 'MODE',
    description: '`listed` refuses all documents but those of `persistedDocuments`',
  }),
  automaticDocumentBytes: byteCount(0, 2 ** 30)
    .default(4 * 2 ** 20)
    .meta({
      unit: 'bytes',
      description:
        'Memory for documents that clients persist themselves (automatic persisted queries); 0 for none',
    }),
  compression: toggle().default(true).meta({ description: 'Compress answers for clients that accept it' }),
  trustedProxies: count(0, 10).default(0).meta({
    unit: 'proxies',
    description: 'Proxies in front, whose `X-Forwarded-For` tells clients apart by their addresses',
  }),
  requestMemoryBytes: byteCount(16 * 2 ** 20, 2 ** 50)
    .optional()
    .meta({
      unit: 'bytes',
      default: 'by the machine',
      description:
        'Memory that all requests together may hold: bodies, chunks in flight, values and answers until they have been sent. Further requests wait',
    }),
  memoryWaitMs: count(0, 600_000).default(20_000).meta({
    unit: 'ms',
    description: 'How long a request waits for memory; then it is refused with 503',
  }),
  minClientBytesPerSecond: count(0, 2 ** 30)
    .default(32 * 1024)
    .meta({
      unit: 'bytes a second',
      description:
        'Slowest rate at which a client may take a large answer; slower ones are disconnected. 0 for any rate',
    }),
  maxClientSubscriptions: count(1, 1_000_000).default(100).meta({
    unit: 'subscriptions',
    description: 'Subscriptions of one client (by token, else by address) at the same time',
  }),
  maxClientRequests: count(0, 1_000_000).default(0).meta({
    unit: 'requests',
    description:
      'Requests of one client (by token, else by address) that run at the same time; 0 for any number',
  }),
  maxClientCost: count(0, 1_000_000_000).default(0).meta({
    unit: 'units a minute',
    description: 'What the requests of one client may cost in a minute; 0 for any cost',
  }),
};
