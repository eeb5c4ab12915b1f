import { effect, signal } from '@preact/signals';
import { remembered } from '../storage/remembered.ts';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const kept = remembered('localStorage', 'busbar.theme');
const isTheme = (text: string | null): text is Theme => themes.some((theme) => theme === text);
const recalled = kept.get();

export const theme = signal<Theme>(isTheme(recalled) ? recalled : 'auto');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  kept.set(theme.value);
});
