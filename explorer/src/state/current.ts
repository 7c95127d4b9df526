/**
 * The current view, synchronised with the address of the page, and the theme. Dark or light theme: the user's
 * choice, else the setting of the system.
 */
import { effect, signal, computed } from '@preact/signals';
import { formatLink, type Naming, parseLink } from './link.js';
import { emptyView, type View } from './view.js';

/** What the page of an array knows about its labels. */
export interface Shown {
  readonly path: string;
  readonly naming: Naming;
  /** The view without labels, and what could not be found; undefined if only the gateway finds them. */
  readonly resolve: (view: View) => Resolution | undefined;
}

export interface Resolution {
  readonly view: View;
  readonly problems: readonly string[];
}

let shown: Shown | undefined;

/** Selections of the address that could not be found. */
export const addressProblems = signal<readonly string[]>([]);
export const view = signal<View>(parseLink(location.hash));

/** Addresses are written with the labels of this array until the returned function is called. */
export function writeLabelsOf(array: Shown): () => void {
  shown = array;
  return () => {
    if (shown === array) shown = undefined;
  };
}

/** Also of another version of the shown array. */
export function addressOf(part: Partial<View> = {}): string {
  const next = { ...view.value, ...part };
  return formatLink(next, shown?.path === next.path ? shown.naming : undefined);
}

addEventListener('hashchange', () => {
  const next = parseLink(location.hash);
  const isShown = shown?.path === next.path && view.value.store === next.store;
  // At once if possible, so that the page does not disappear while it looks up labels.
  const resolution = isShown && next.written !== undefined ? shown?.resolve(next) : undefined;
  addressProblems.value = resolution?.problems ?? [];
  view.value = resolution?.view ?? next;
});

effect(() => {
  const { store, path } = view.value;
  document.title =
    store === undefined ? 'zarrql explorer' : `${path === '/' ? '' : `${path.slice(1)} – `}${store} – zarrql`;
});

/** Changes that follow each other within this time, in ms, are one step of the history. */
const STEP_MS = 1000;
let lastChange = Number.NEGATIVE_INFINITY;

/** Changes the view. The browser's Back button undoes the change, with those made immediately before and after. */
export function change(part: Partial<View>): void {
  const now = performance.now();
  if (now - lastChange > STEP_MS && changes.length < MAX_CHANGES) pushAddress({ ...view.value, ...part });
  else {
    addressProblems.value = [];
    show(part);
  }
  lastChange = now;
}

/** Changes the view without a step in the history, as an animation does. */
export function show(part: Partial<View>): void {
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
  history.replaceState(null, '', addressOf());
}

function pushAddress(next: View): void {
  clearTimeout(later);
  changes = [...changes, performance.now()];
  view.value = next;
  addressProblems.value = [];
  history.pushState(null, '', addressOf());
}

/** Opens a node. Resets all settings except the palette. */
export function open(store: string, path: string, part: Partial<View> = {}): void {
  pushAddress({ ...emptyView, palette: view.value.palette, store, path, ...part });
}

export function openStart(): void {
  pushAddress(emptyView);
}

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
