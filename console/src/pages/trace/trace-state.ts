import { computed, effect, signal } from '@preact/signals';
import { catalogs, channels, plans } from '../../state/bench.ts';
import { serviceNowUs } from '../../state/service-clock.ts';
import { isLike, remembered, rememberedJson } from '../../storage/remembered.ts';
import {
  ChannelNames,
  SeenChannels,
  type SlotSpan,
  spanTest,
} from '../../trace-core/channel-names.ts';
import {
  emptyFilter,
  type FilterErrors,
  type FilterText,
  parseFilter,
} from '../../trace-core/frame-filter.ts';
import type { FrameRow } from '../../trace-core/frame-row.ts';
import { type TimeMode, timeModes } from '../../trace-core/frame-text.ts';
import { MessageNames, messagesOf, type NameSources } from '../../trace-core/message-names.ts';
import { markChanges } from './fault-marks.ts';
import { askOlder, askTrace, olderResult } from './trace-client.ts';

export type TraceView = 'frames' | 'by-id';

const keptMode = remembered('localStorage', 'busbar.trace.time');

export const view = signal<TraceView>('frames');
export const timeMode = signal<TimeMode>(
  timeModes.find((mode) => mode === keptMode.get()) ?? 'absolute',
);
export const isPaused = signal(false);

/** What is shown in this tab: what was typed, and the link that it began with. */
const firstFilter = { link: '', text: emptyFilter };
const filterKey = 'busbar.trace.filter';
const keptFilter = rememberedJson(
  filterKey,
  firstFilter,
  (value): value is typeof firstFilter => isLike(value, firstFilter),
  remembered('sessionStorage', filterKey),
);
export const filterText = signal<FilterText>(keptFilter.get().text);
filterText.subscribe((text) => keptFilter.set({ ...keptFilter.get(), text }));

let isReload = true;

/** Takes the filter of a link; a reload keeps what was made of it since. */
export const followLink = (query: URLSearchParams): void => {
  const link = String(query);
  const isKept = isReload && keptFilter.get().link === link;
  isReload = false;
  if (isKept) return;
  const direction = query.get('direction');
  const text = Object.fromEntries(
    ['channel', 'id', 'name', 'data'].map((field) => [field, query.get(field) ?? '']),
  );
  keptFilter.set({ link, text: emptyFilter });
  filterText.value = {
    ...emptyFilter,
    ...text,
    direction: direction === 'rx' || direction === 'tx' ? direction : '',
  };
};
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

const everSeen = new SeenChannels();

/** Channels that are open, and those that were, for frames of theirs that may be shown. */
export const seenChannels = computed(() => {
  everSeen.take(channels.data.value?.channels ?? []);
  return everSeen.all;
});

const channelNames = computed(() => new ChannelNames(seenChannels.value));

/** What the channel of a row is called: its name, else its port. */
export const channelName = ({
  channel,
  timestampUs,
}: Pick<FrameRow, 'channel' | 'timestampUs'>): string =>
  channelNames.peek().nameOf(channel, timestampUs) ?? `slot ${channel}`;

const nameSources = computed<NameSources>(() => ({
  messages: messagesOf(catalogs.data.value?.values() ?? []),
  plans: (plans.data.value?.plans ?? []).map(({ slot, id, extended, pgn, message }) => ({
    slot,
    // A channel that had the slot before, under another daemon, is not what the plan is about.
    fromUs: seenChannels.value.findLast((seen) => seen.slot === slot)?.fromUs ?? 0,
    id,
    extended,
    pgn,
    message,
  })),
}));

const messageNames = computed(() => new MessageNames(nameSources.value));

/** What the message of a row is called; null if that is unknown. */
export const messageName = ({ channel, timestampUs, bus, id, flags }: FrameRow): string | null =>
  messageNames.value.nameOf(channel, timestampUs, bus, id, flags);

export const filterErrors = signal<FilterErrors>({});

/** The channels that the filter lets through; null for all. */
const filteredChannels = signal<readonly SlotSpan[] | null>(null);

/** Puts older frames of the channels that are shown in front. */
export const loadOlder = (): void => {
  const spans = filteredChannels.peek();
  const isShown = spans && spanTest(spans);
  const open = channels.data.peek()?.channels ?? [];
  askOlder(
    isShown &&
      open.filter(({ slot }) => isShown(slot, serviceNowUs())).map(({ selector }) => selector),
  );
};

/** Sends what the worker must know whenever it changes. Answers how to stop. */
export const followSettings = (): (() => void) => {
  const stops = [
    effect(() => askTrace({ type: 'names', sources: nameSources.value })),
    effect(() => askTrace({ type: 'channels', seen: seenChannels.value })),
    effect(() => {
      // Nothing tells the name of a channel from a wrong one yet.
      if (filterText.value.channel !== '' && !channels.data.value) return;
      const parsed = parseFilter(filterText.value, seenChannels.value);
      filterErrors.value = 'errors' in parsed ? parsed.errors : {};
      // With something wrong in it, what was right before goes on.
      if (!('filter' in parsed)) return;
      askTrace({ type: 'filter', filter: parsed.filter });
      // What there is of other channels was not asked for yet.
      if (JSON.stringify(parsed.filter.channels) !== JSON.stringify(filteredChannels.peek())) {
        olderResult.value = null;
      }
      filteredChannels.value = parsed.filter.channels;
    }),
    effect(() => {
      void [timeMode.value, messageNames.value, seenChannels.value, markChanges.value];
      redraws.value = redraws.peek() + 1;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
