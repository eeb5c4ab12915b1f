import { signal } from '@preact/signals';
import type { SignalFilter } from './signal-search.ts';

export const searchText = signal('');
export const filter = signal<SignalFilter>('all');
/** The signal and the task whose details are shown, by their ids. */
export const pickedSignal = signal<string | null>(null);
export const pickedTask = signal<string | null>(null);
/** Changes twice a second while the page is in front: ages grow without any news. */
export const beat = signal(0);
