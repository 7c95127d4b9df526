/** Limits how often a callback is called. */
export function atMostEvery(ms: number, tell: ((key: string) => void) | undefined): (key: string) => void {
  let lastAt = -Infinity;
  return (key) => {
    if (performance.now() - lastAt < ms) return;
    lastAt = performance.now();
    tell?.(key);
  };
}
