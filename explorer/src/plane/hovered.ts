import { signal } from '@preact/signals';

/** The cell under the pointer, shared by pictures shown side by side. */
export const hovered = signal<{ readonly x: number; readonly y: number } | undefined>(undefined);
