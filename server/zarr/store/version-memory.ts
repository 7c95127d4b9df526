/**
 * Versions that a remote store told of lately. For a while they are trusted: whether an object changed is then answered
 * without asking. Bounded; the oldest are forgotten first.
 */
export interface VersionMemory {
  /** Whether this was the key's version a moment ago. */
  isTrusted(key: string, version: string): boolean;
  remember(key: string, version: string): void;
  forget(key: string): void;
}

const maxKeys = 20_000;

/**
 * @param maxAgeMs how long a version is trusted; 0 for never
 * @param now milliseconds, for tests
 */
export function createVersionMemory(
  maxAgeMs: number,
  now: () => number = () => performance.now(),
): VersionMemory {
  const seen = new Map<string, { version: string; until: number }>();
  return {
    isTrusted(key, version) {
      const entry = seen.get(key);
      return entry !== undefined && entry.version === version && now() < entry.until;
    },
    remember(key, version) {
      if (maxAgeMs <= 0) return;
      seen.delete(key);
      seen.set(key, { version, until: now() + maxAgeMs });
      if (seen.size <= maxKeys) return;
      for (const oldest of seen.keys()) {
        seen.delete(oldest);
        break;
      }
    },
    forget: (key) => void seen.delete(key),
  };
}
