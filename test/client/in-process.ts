/** A gateway in this process, and a client whose `fetch` calls it. */
import { createClient } from '../../client/index.js';
import type { Client, ClientOptions, FetchLike } from '../../client/index.js';
import { createGateway } from '../../server/gateway.js';
import type { GatewayConfig, GatewayStore } from '../../server/gateway/options.js';
import { createFilesystemStore } from '../../server/zarr/index.js';
import { fullAccess } from '../../server/index.js';

export interface InProcess {
  readonly client: Client;
  /** Number of requests sent so far. */
  requests(): number;
  close(): Promise<void>;
}

export function folderStore(name: string, root: string): GatewayStore {
  return { name, store: createFilesystemStore({ label: name, root }) };
}

export function startInProcess(config: GatewayConfig, options: Partial<ClientOptions> = {}): InProcess {
  const gateway = createGateway(config);
  let requests = 0;
  const fetch: FetchLike = async (url, init) => {
    requests += 1;
    return gateway.fetch(new gateway.Request(url, init), fullAccess);
  };
  return {
    client: createClient({ url: 'http://127.0.0.1/graphql', fetch, ...options }),
    requests: () => requests,
    close: () => gateway.close(),
  };
}
