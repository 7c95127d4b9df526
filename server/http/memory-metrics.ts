/** Gauges of the memory budget. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { MemoryStats } from '../memory/process-memory.js';

export function registerMemory(stats: () => MemoryStats, registers: Registry[]): void {
  const gauge = (name: string, help: string, value: (stats: MemoryStats) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(stats()));
      },
    });
  };
  gauge(
    'zarrql_request_memory_limit_bytes',
    'Memory that all requests together may hold.',
    (s) => s.maxBytes,
  );
  gauge('zarrql_request_memory_held_bytes', 'Memory reserved by requests.', (s) => s.heldBytes);
  gauge('zarrql_request_memory_waiting', 'Reservations waiting for memory.', (s) => s.waiting);
  new Counter({
    name: 'zarrql_request_memory_refused_total',
    help: 'Requests refused because no memory became free in time.',
    registers,
    collect() {
      this.reset();
      this.inc(stats().refused);
    },
  });
}
