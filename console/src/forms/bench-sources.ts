import { computed } from '@preact/signals';
import { bench, channels } from '../state/bench.ts';
import type { SelectorSources } from './channel-selectors.ts';

/** What selectors can name on the bench now. */
export const sources = computed<SelectorSources>(() => ({
  channels: channels.data.value?.channels ?? [],
  networks: bench.data.value?.networks ?? {},
}));
