/** A gateway with two stores that counts change listeners. */
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
  }));
  const gateway = createGateway({ stores, changeBus: bus, ...config });
  onTestFinished(() => gateway.close());
  const serving = await serve(gateway.fetch, http, {
    handleOperation: (request, given) => gateway.handleOperation(request, { ...given, ...caller }),
  });
  return { ...serving, gateway, bus };
}
