import { computed, effect, signal } from '@preact/signals';
import { busCode, frameFlag } from '../../../../src/frame/frm2-layout.ts';
import type { Pdu } from '../../api/client.ts';
import { isMessagePlan } from '../../samples/signal-choices.ts';
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
import { askOlder, askTrace, foundEvent, olderResult } from './trace-client.ts';

export type TraceView = 'frames' | 'by-id' | 'pdus';

const keptMode = remembered('localStorage', 'busbar.trace.time');

export const view = signal<TraceView>('frames');
export const timeMode = signal<TimeMode>(
  timeModes.find((mode) => mode === keptMode.get()) ?? 'absolute',
);
export const isPaused = signal(false);

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

/** Applies the filter of a link; a reload keeps later changes. */
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
/** In the view by ID, updated with every frame. */
export const selected = signal<FrameRow | null>(null);
export const selectedSerial = computed(() => selected.value?.serial ?? null);
export const isDetailOpen = signal(false);
/** Incremented when the table must be redrawn for reasons unknown to the worker. */
export const redraws = signal(0);

export const chooseTime = (mode: TimeMode): void => {
  timeMode.value = mode;
  keptMode.set(mode);
};

export const chooseView = (next: TraceView): void => {
  if (view.peek() === next) return;
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
  foundEvent.value = null;
  askTrace({ type: 'resume' });
};

export const clear = (): void => {
  selected.value = null;
  isDetailOpen.value = false;
  olderResult.value = null;
  askTrace({ type: 'clear' });
};

const everSeen = new SeenChannels();

/** Includes closed channels, because their frames can still be shown. */
export const seenChannels = computed(() => {
  everSeen.take(channels.data.value?.channels ?? []);
  return everSeen.all;
});

const channelNames = computed(() => new ChannelNames(seenChannels.value));

export const channelName = ({
  channel,
  timestampUs,
}: Pick<FrameRow, 'channel' | 'timestampUs'>): string =>
  channelNames.peek().nameOf(channel, timestampUs) ?? `slot ${channel}`;

/** When the current channel with that slot was opened. */
const openedUs = (slot: number): number =>
  seenChannels.value.findLast((seen) => seen.slot === slot)?.fromUs ?? 0;

const nameSources = computed<NameSources>(() => ({
  messages: messagesOf(catalogs.data.value?.values() ?? []),
  attached: (channels.data.value?.channels ?? []).map(({ slot, databases }) => ({
    ...{ slot, databases },
    fromUs: openedUs(slot),
  })),
  plans: (plans.data.value?.plans ?? [])
    .filter(isMessagePlan)
    .map(({ slot, id, extended, pgn, message }) => ({
      slot,
      // The plan does not apply to an earlier channel with the same slot.
      fromUs: openedUs(slot),
      id,
      extended,
      pgn,
      message,
    })),
}));

const messageNames = computed(() => new MessageNames(nameSources.value));

export const messageName = ({ channel, timestampUs, bus, id, flags }: FrameRow): string | null =>
  messageNames.value.nameOf(channel, timestampUs, bus, id, flags);

const diagnosticNames: Readonly<Record<number, string>> = { 65226: 'DM1', 65227: 'DM2' };

/** Parameter groups below 0xF000 are sent to an address. */
const hasDestination = (pgn: number): boolean => ((pgn >> 8) & 0xff) < 0xf0;

/** Identifier that a frame with the payload would have. */
export const pduId = ({ pgn, source, destination }: Pdu): number | null => {
  if (pgn === null) return null;
  const address = hasDestination(pgn) ? (destination ?? 0xff) * 0x100 : 0;
  return 0x18000000 + pgn * 0x100 + address + (source ?? 0xfe);
};

/** Name of a J1939 payload: the message of its parameter group. */
export const pduName = (pdu: Pdu): string => {
  const { channel, timestamp_us: us, pgn } = pdu;
  const id = pduId(pdu);
  if (id === null) return '';
  const name = messageNames.value.nameOf(channel, us, busCode.can, id, frameFlag.extended);
  return name ?? diagnosticNames[pgn ?? 0] ?? '';
};

export const filterErrors = signal<FilterErrors>({});

const filteredChannels = signal<readonly SlotSpan[] | null>(null);

export const loadOlder = (): void => {
  const spans = filteredChannels.peek();
  const isShown = spans && spanTest(spans);
  const open = channels.data.peek()?.channels ?? [];
  askOlder(
    isShown &&
      open.filter(({ slot }) => isShown(slot, serviceNowUs())).map(({ selector }) => selector),
  );
};

export const followSettings = (): (() => void) => {
  const stops = [
    effect(() => askTrace({ type: 'names', sources: nameSources.value })),
    effect(() => askTrace({ type: 'channels', seen: seenChannels.value })),
    effect(() => {
      // Channel names cannot be checked before the channels are known.
      if (filterText.value.channel !== '' && !channels.data.value) return;
      const parsed = parseFilter(filterText.value, seenChannels.value);
      filterErrors.value = 'errors' in parsed ? parsed.errors : {};
      // The previous filter stays while the text has errors.
      if (!('filter' in parsed)) return;
      askTrace({ type: 'filter', filter: parsed.filter });
      // Older frames of the newly filtered channels have not been requested.
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
