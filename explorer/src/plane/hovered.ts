import { signal } from '@preact/signals';

/** The cell under the pointer, in positions of the axes: shared by pictures that are shown side by side. */
export const hovered = signal<{ readonly x: number; readonly y: number } | undefined>(undefined);
