import { computed } from '@preact/signals';
import { call } from '../../api/client.ts';
import type { SelectorSources } from '../../forms/channel-selectors.ts';
import { bench, channels } from '../../state/bench.ts';
import { resource } from '../../state/resource.ts';
import { pageId } from '../../state/route.ts';

/** Work of which there is one at a time. */
export const logging = resource(() => call('logging.status'));
export const replay = resource(() => call('replay.status'));
export const forwarding = resource(() => call('remote.status'));

export const sources = computed<SelectorSources>(() => ({
  channels: channels.data.value?.channels ?? [],
  networks: bench.data.value?.networks ?? {},
}));

/** How often something is asked for: only while the page is in front. */
export const pollWhileShown = (ms: number): number | undefined =>
  pageId.value === 'files' ? ms : undefined;
