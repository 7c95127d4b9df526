/** A minimal client for GraphQL over server-sent events. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  type CallerOptions,
  type ChangeBus,
  createChangeBus,
  createGateway,
  type GatewayConfig,
  fullAccess,
} from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { serve } from './serving.js';

export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

export interface Events {
  readonly incoming: IncomingMessage;
  readonly events: SseEvent[];
  /** Number of received comment lines, which start with a colon. */
  comments(): number;
  /** Resolves when either side closes the connection. */
  readonly closed: Promise<void>;
  leave(): void;
}

export interface SentRequest {
  readonly method?: 'GET' | 'POST';
  readonly accept?: string;
  readonly authorization?: string;
  readonly variables?: unknown;
  /** @default '/graphql' */
  readonly path?: string;
}

/** Opens a stream; resolves when the headers have arrived. */
export function openEvents(port: number, query: string, sent: SentRequest = {}): Promise<Events> {
  const { method = 'POST', accept = 'text/event-stream', authorization, variables, path: endpoint = '/graphql' } = sent; // prettier-ignore
  const path = method === 'GET' ? `${endpoint}?query=${encodeURIComponent(query)}` : endpoint;
  const headers = {
    accept,
    ...(authorization === undefined ? {} : { authorization }),
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (incoming) => {
        resolve(readEvents(incoming, () => outgoing.destroy()));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(method === 'POST' ? JSON.stringify({ query, variables }) : undefined);
  });
}

function readEvents(incoming: IncomingMessage, leave: () => void): Events {
  const events: SseEvent[] = [];
  let text = '';
  let comments = 0;
  incoming.setEncoding('utf8');
  incoming.on('data', (part: string) => {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block
        .split('\n')
        .map((line) => /^([a-z]*): ?(.*)$/s.exec(line)?.slice(1) ?? ['?', line]);
      comments += fields.filter(([name]) => name === '').length;
      const valueOf = (wanted: string) =>
        fields.flatMap(([name, value]) => (name === wanted ? [value ?? ''] : []));
      if (valueOf('data').length > 0)
        events.push({ event: valueOf('event')[0] ?? 'message', data: valueOf('data').join('\n') });
    }
  });
  const closed = new Promise<void>((resolve) => {
    incoming.on('error', () => resolve()).on('close', () => resolve());
  });
  return { incoming, events, comments: () => comments, closed, leave };
}

/** A bus that counts its listeners. */
export function countedBus(): ChangeBus & { listeners(): number } {
  const bus = createChangeBus();
  let listeners = 0;
  return {
    ...bus,
    listeners: () => listeners,
    subscribe(listener) {
      listeners++;
      const leave = bus.subscribe(listener);
      return () => {
        listeners--;
        leave();
      };
    },
  };
}

/**
 * Serves a gateway with two writable memory stores, `m` and `n`. Its bus counts the listeners for changes: only those of
 * subscribers, because the stores are not watched.
 */
export async function start(
  config: Partial<GatewayConfig> = {},
  caller: CallerOptions = fullAccess,
  http: Parameters<typeof serve>[1] = {},
) {
  const bus = countedBus();
  const stores = ['m', 'n'].map((name) => ({
    name,
    store: createMemoryStore({ label: name }),
    writable: true,
    watchMs: 0,
  }));
  const gateway = createGateway({ stores, changeBus: bus, ...config });
  onTestFinished(() => gateway.close());
  const serving = await serve(gateway.fetch, http, {
    memory: gateway.memory,
    handleOperation: (request, given) => gateway.handleOperation(request, { ...given, ...caller }),
    handleMessage: (request, given) => gateway.handleMessage(request, { ...given, ...caller }),
  });
  return { ...serving, gateway, bus };
}
