/** Gauges of the memory that requests hold. */
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
  gauge('zarrql_request_memory_limit_bytes', 'Memory that requests may hold together.', (s) => s.maxBytes);
  gauge('zarrql_request_memory_held_bytes', 'Memory that requests have reserved.', (s) => s.heldBytes);
  gauge('zarrql_request_memory_waiting', 'Reservations that wait for memory.', (s) => s.waiting);
  new Counter({
    name: 'zarrql_request_memory_refused_total',
    help: 'Requests refused since no memory became free in time.',
    registers,
    collect() {
      this.reset();
      this.inc(stats().refused);
    },
  });
}
