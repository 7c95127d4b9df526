/** The planes that the page shows now, for the scatter plot and the saved picture. */
import { signal } from '@preact/signals';
import type { LoadedPlane } from './load-plane.js';
import type { Scale } from './scale.js';

export interface ShownPlane {
  readonly plane: LoadedPlane;
  readonly scale: Scale;
  readonly title: string;
  readonly units: string;
}

export const shownPlanes = signal<{
  readonly first: ShownPlane | undefined;
  /** The second variable, beside the first. */
  readonly second: ShownPlane | undefined;
}>({ first: undefined, second: undefined });
