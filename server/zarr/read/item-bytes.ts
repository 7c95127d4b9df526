/** What values of variable length take in memory, roughly: enough to hold a limit against. */

export function itemBytes(items: readonly unknown[]): number {
  let bytes = 0;
  for (const item of items) {
    if (typeof item === 'string') bytes += item.length;
    else if (ArrayBuffer.isView(item)) bytes += item.byteLength;
  }
  return bytes + items.length * 8;
}
