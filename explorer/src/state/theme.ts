/** Dark or light: as the system is set, unless the user chose. */
import { computed, effect, signal } from '@preact/signals';

const storageKey = 'zarrql.theme';
const query = matchMedia('(prefers-color-scheme: dark)');
const system = signal(query.matches);
query.addEventListener('change', () => (system.value = query.matches));

const chosen = signal(localStorage.getItem(storageKey));

export const isTakenAsDark = computed(() => (chosen.value === null ? system.value : chosen.value === 'dark'));

effect(() => {
  document.documentElement.dataset['theme'] = isTakenAsDark.value ? 'dark' : 'light';
});

export function switchTheme(): void {
  chosen.value = isTakenAsDark.value ? 'light' : 'dark';
  localStorage.setItem(storageKey, chosen.value);
}
