/** A minimal client for GraphQL over server-sent events. */
import { request as httpRequest, type IncomingMessage } from 'node:http';

export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

export interface Events {
  readonly incoming: IncomingMessage;
  readonly events: SseEvent[];
  /** Comment lines, which start with a colon. */
  comments(): number;
  /** Resolves when either side closes the connection. */
  readonly closed: Promise<void>;
  leave(): void;
}

export interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly accept?: string;
  readonly authorization?: string;
  readonly variables?: unknown;
}

/** Opens a stream; resolves when the headers have arrived. */
export function openEvents(port: number, query: string, asked: Asked = {}): Promise<Events> {
  const { method = 'POST', accept = 'text/event-stream', authorization, variables } = asked;
  const path = method === 'GET' ? `/graphql?query=${encodeURIComponent(query)}` : '/graphql';
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
