/** Numbers of open connections by client. */
export type ConnectionCounts = ReturnType<typeof createConnectionCounts>;

/** @param limits may change */
export function createConnectionCounts(limits: { readonly maxClientConnections: number }) {
  const open = new Map<string, number>();
  return {
    /** @returns a function that releases the connection; undefined if the client has too many */
    take(client: string): (() => void) | undefined {
      const count = open.get(client) ?? 0;
      if (count >= limits.maxClientConnections) return undefined;
      open.set(client, count + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        const left = (open.get(client) ?? 1) - 1;
        if (left === 0) open.delete(client);
        else open.set(client, left);
      };
    },
  };
}
