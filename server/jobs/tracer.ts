/** Spans of jobs and of their tasks, in any process. */

/** The context of a span: a header `traceparent` (W3C Trace Context). */
export type TraceContext = string;

/** Maximum length of a context. */
export const MAX_TRACE_LENGTH = 64;

export interface JobTracer {
  /** The span that runs now; undefined outside of all spans. */
  current(): TraceContext | undefined;
  /**
   * Runs a function as a span, to which the spans of what it does belong.
   * @param parent the span above, of this process or another one
   * @param body receives the context of the span; a rejection is a failure of the span
   */
  span<T>(
    name: string,
    parent: TraceContext | undefined,
    attributes: Readonly<Record<string, string | number | undefined>>,
    body: (own: TraceContext | undefined) => Promise<T>,
  ): Promise<T>;
}

/** Records nothing. */
export const noTracer: JobTracer = {
  current: () => undefined,
  span: (_, __, ___, body) => body(undefined),
};
