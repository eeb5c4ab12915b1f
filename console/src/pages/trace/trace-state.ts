import { computed, effect, signal } from '@preact/signals';
import { catalogs, channels, plans } from '../../state/bench.ts';
import { remembered } from '../../state/remembered.ts';
import {
  type ChannelLabels,
  emptyFilter,
  type FilterErrors,
  type FilterText,
  parseFilter,
} from '../../trace-core/frame-filter.ts';
import type { FrameRow } from '../../trace-core/frame-row.ts';
import { MessageNames, type NameSources } from '../../trace-core/message-names.ts';
import { askTrace, olderResult } from './trace-client.ts';

export type TraceView = 'frames' | 'by-id';
export const timeModes = ['absolute', 'relative', 'delta'] as const;
export type TimeMode = (typeof timeModes)[number];

const keptMode = remembered('localStorage', 'busbar.trace.time');

export const view = signal<TraceView>('frames');
export const timeMode = signal<TimeMode>(
  timeModes.find((mode) => mode === keptMode.get()) ?? 'absolute',
);
export const isPaused = signal(false);
export const filterText = signal<FilterText>(emptyFilter);
/** The row whose details are wanted; by id, it is renewed with every frame. */
export const selected = signal<FrameRow | null>(null);
export const selectedSerial = computed(() => selected.value?.serial ?? null);
export const isDetailOpen = signal(false);
/** Moves on when the table must ask anew for reasons that the worker cannot know. */
export const redraws = signal(0);

export const chooseTime = (mode: TimeMode): void => {
  timeMode.value = mode;
  keptMode.set(mode);
};

export const chooseView = (next: TraceView): void => {
  if (view.peek() === next) return;
  // A row of one view is none of the other.
  selected.value = null;
  isDetailOpen.value = false;
  view.value = next;
};

export const pause = (): void => {
  if (isPaused.peek()) return;
  isPaused.value = true;
  askTrace({ type: 'pause' });
};

export const resume = (): void => {
  if (!isPaused.peek()) return;
  isPaused.value = false;
  olderResult.value = null;
  askTrace({ type: 'resume' });
};

export const clear = (): void => {
  selected.value = null;
  isDetailOpen.value = false;
  olderResult.value = null;
  askTrace({ type: 'clear' });
};

/** Closed channels keep their names here for as long as their frames may be shown. */
const seenChannels = new Map<number, { selector: string; name: string | null }>();

export const channelLabels = computed<ChannelLabels>(() => {
  for (const { slot, selector, name } of channels.data.value?.channels ?? []) {
    seenChannels.set(slot, { selector, name });
  }
  return new Map(
    [...seenChannels].map(([slot, { selector, name }]) => [
      slot,
      name === null ? [selector] : [name, selector],
    ]),
  );
});

/** What a channel is called: its name, else its port. */
export const channelName = (slot: number): string =>
  channelLabels.peek().get(slot)?.[0] ?? `slot ${slot}`;

const nameSources = computed<NameSources>(() => ({
  messages: [...(catalogs.data.value?.values() ?? [])].flatMap(({ name: database, message_page }) =>
    message_page.map(({ name, id, extended }) => ({ database, name, id, extended })),
  ),
  plans: (plans.data.value?.plans ?? []).map(({ slot, database, id, extended, message }) => ({
    slot,
    database,
    id,
    extended,
    message,
  })),
}));

export const messageNames = computed(() => new MessageNames(nameSources.value));

export const filterErrors = signal<FilterErrors>({});

/** Sends what the worker must know whenever it changes. Answers how to stop. */
export const followSettings = (): (() => void) => {
  const stops = [
    effect(() => askTrace({ type: 'names', sources: nameSources.value })),
    effect(() => {
      const names = [...channelLabels.value].map(([slot, [name]]) => [slot, name ?? ''] as const);
      askTrace({ type: 'channels', names: new Map(names) });
    }),
    effect(() => {
      const parsed = parseFilter(filterText.value, channelLabels.value);
      filterErrors.value = 'errors' in parsed ? parsed.errors : {};
      // With something wrong in it, what was right before goes on.
      if ('filter' in parsed) askTrace({ type: 'filter', filter: parsed.filter });
    }),
    effect(() => {
      void [timeMode.value, messageNames.value, channelLabels.value];
      redraws.value = redraws.peek() + 1;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
