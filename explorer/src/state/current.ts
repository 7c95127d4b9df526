/** The current view, synchronised with the address of the page, and the theme. */
import { effect, signal, computed } from '@preact/signals';
import { formatLink, parseLink } from './link.js';
import { emptyView, type View } from './view.js';

export const view = signal<View>(parseLink(location.hash));

addEventListener('hashchange', () => {
  view.value = parseLink(location.hash);
});

effect(() => {
  const { store, path } = view.value;
  document.title =
    store === undefined ? 'zarrql explorer' : `${path === '/' ? '' : `${path.slice(1)} – `}${store} – zarrql`;
});

/** Changes the view without a new entry in the history: positions, colours, zoom. */
export function change(part: Partial<View>): void {
  view.value = { ...view.value, ...part };
  replaceAddress();
}

/** Limits changes of the URL, because browsers reject or ignore more than 100 in 30 seconds. Times in ms. */
const [MAX_CHANGES, WINDOW_MS, LATER_MS] = [60, 30_000, 1000];
let changes: readonly number[] = [];
let later: ReturnType<typeof setTimeout> | undefined;

function replaceAddress(): void {
  const now = performance.now();
  changes = changes.filter((time) => now - time < WINDOW_MS);
  clearTimeout(later);
  if (changes.length >= MAX_CHANGES) {
    later = setTimeout(replaceAddress, LATER_MS);
    return;
  }
  changes = [...changes, now];
  history.replaceState(null, '', formatLink(view.value));
}

/** Opens a node. Resets all settings except the palette. */
export function open(store: string, path: string, part: Partial<View> = {}): void {
  clearTimeout(later);
  view.value = { ...emptyView, palette: view.value.palette, store, path, ...part };
  history.pushState(null, '', formatLink(view.value));
}

export function openStart(): void {
  clearTimeout(later);
  view.value = emptyView;
  history.pushState(null, '', formatLink(emptyView));
}

// Dark or light theme: the user's choice, else the setting of the system.

const STORAGE_KEY = 'zarrql.theme';
const query = matchMedia('(prefers-color-scheme: dark)');
const system = signal(query.matches);
query.addEventListener('change', () => (system.value = query.matches));

const chosen = signal(localStorage.getItem(STORAGE_KEY));

export const isTakenAsDark = computed(() => (chosen.value === null ? system.value : chosen.value === 'dark'));

effect(() => {
  document.documentElement.dataset['theme'] = isTakenAsDark.value ? 'dark' : 'light';
});

export function switchTheme(): void {
  chosen.value = isTakenAsDark.value ? 'light' : 'dark';
  localStorage.setItem(STORAGE_KEY, chosen.value);
}
