/** Estimated speed of transforms. Slow transforms are time-sliced. */
import type { ElementTransform } from './element-transform.js';

/**
 * Nanoseconds per element on one processor (Node 20), rounded up; includes gathering and scattering of
 * strided elements.
 */
export function transformNsPerElement(transform: ElementTransform): number {
  switch (transform.kind) {
    case 'copy':
      return 0;
    case 'complex':
      return 10;
    case 'numbers':
      return transform.dtype.name === 'float16' ? 60 : 5;
    case 'ticks':
      return transform.count.kind === 'integers' ? 10 : 30;
  }
}
