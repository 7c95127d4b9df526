/** The header `traceparent` (W3C Trace Context). */

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Version 00, and later versions, whose first fields have the same form. */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
/** A header of a later version may be longer, but not without bound. */
const MAX_LENGTH = 256;

/** @returns undefined for a missing or malformed header, which starts a new trace, as the specification says */
export function parseTraceParent(header: string | readonly string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, traceId, spanId, flags] = form.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function printTraceParent(context: TraceParent | undefined): string | undefined {
  return context && `00-${context.traceId}-${context.spanId}-${context.isSampled ? '01' : '00'}`;
}
