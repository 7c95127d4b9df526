/** Dark or light theme: the user's choice, else the setting of the system. */
import { computed, effect, signal } from '@preact/signals';

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
