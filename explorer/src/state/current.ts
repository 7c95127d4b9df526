/** The current view, synchronised with the URL of the page. */
import { signal } from '@preact/signals';
import { formatLink, parseLink } from './link.js';
import { emptyView, type View } from './view.js';

export const view = signal<View>(parseLink(location.hash));

addEventListener('hashchange', () => {
  view.value = parseLink(location.hash);
});

/** Changes positions, colours or zoom without a new history entry. */
export function change(part: Partial<View>): void {
  view.value = { ...view.value, ...part };
  history.replaceState(null, '', formatLink(view.value));
}

/** Opens a node. Resets all settings except the palette. */
export function open(store: string, path: string, part: Partial<View> = {}): void {
  view.value = { ...emptyView, palette: view.value.palette, store, path, ...part };
  history.pushState(null, '', formatLink(view.value));
}

export function openStart(): void {
  view.value = emptyView;
  history.pushState(null, '', formatLink(emptyView));
}
