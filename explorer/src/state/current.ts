/** The view that is shown, kept in step with the address of the page. */
import { signal } from '@preact/signals';
import { formatLink, parseLink } from './link.js';
import { emptyView, type View } from './view.js';

export const view = signal<View>(parseLink(location.hash));

addEventListener('hashchange', () => {
  view.value = parseLink(location.hash);
});

/** Changes the view without a new entry in the history: positions, colours, zoom. */
export function change(part: Partial<View>): void {
  view.value = { ...view.value, ...part };
  history.replaceState(null, '', formatLink(view.value));
}

/** Opens a node. The settings of the last one are dropped, except for the palette. */
export function open(store: string, path: string, part: Partial<View> = {}): void {
  view.value = { ...emptyView, palette: view.value.palette, store, path, ...part };
  history.pushState(null, '', formatLink(view.value));
}

export function openStart(): void {
  view.value = emptyView;
  history.pushState(null, '', formatLink(emptyView));
}
