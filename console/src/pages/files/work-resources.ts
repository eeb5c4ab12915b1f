import { computed } from '@preact/signals';
import { call } from '../../api/client.ts';
import type { SelectorSources } from '../../forms/channel-selectors.ts';
import { bench, channels } from '../../state/bench.ts';
import { resource } from '../../state/resource.ts';

export const logging = resource(() => call('logging.status'), 'logging.status');
export const replay = resource(() => call('replay.status'), 'replay.status');
export const forwarding = resource(() => call('remote.status'), 'remote.status');

export const sources = computed<SelectorSources>(() => ({
  channels: channels.data.value?.channels ?? [],
  networks: bench.data.value?.networks ?? {},
}));
