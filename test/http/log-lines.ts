/** A logger that keeps its lines. */
export function loggerTo(log: Record<string, unknown>[]) {
  const writer =
    (level: string) =>
    (fields: object, message?: string): void => {
      log.push({ ...fields, level, msg: message });
    };
  return {
    info: writer('info'),
    debug: writer('debug'),
    warn: writer('warn'),
    error: writer('error'),
  };
}
