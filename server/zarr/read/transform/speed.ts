/** How long transforms take, so that long ones are done in turns of the event loop. */
import type { ElementTransform } from './element-transform.js';

/** ns an element on one processor (Node 20), rounded up: with gathering and scattering where elements are strided. */
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
