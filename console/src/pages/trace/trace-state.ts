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
import { gapRemarkOf, gapSentence, type TimeMode, timeModes } from '../../trace-core/frame-text.ts';
import { MessageNames, messagesOf, type NameSources } from '../../trace-core/message-names.ts';
import type { RowRequest } from '../../trace-core/row-messages.ts';
import type { FrameView } from '../../trace-core/row-windows.ts';
import {
  askFile,
  fileAttachments,
  fileCatalogs,
  fileChannels,
  fileStatus,
  isFileShown,
  recordedFrom,
  wantsFile,
} from '../../trace-files/open-file.ts';
import { failingChecks, gatewayMessages, markChanges } from './fault-marks.ts';
import { clearNotes, notes } from './row-notes.ts';
import { askOlder, askTrace, liveRows, olderResult, shownRows } from './trace-client.ts';

export const traceViews = ['frames', 'by-id', 'changes', 'statistics', 'pdus'] as const;
export type TraceView = (typeof traceViews)[number];
/** Views of the IDs as a whole; their code is loaded when one is first shown. */
export type IdView = Extract<TraceView, 'changes' | 'statistics'>;
export const isIdView = (view: TraceView): view is IdView =>
  view === 'changes' || view === 'statistics';

const keptMode = remembered('localStorage', 'busbar.trace.time');

const keptView = remembered('sessionStorage', 'busbar.trace.view');

export const view = signal<TraceView>(
  traceViews.find((each) => each === keptView.get()) ?? 'frames',
);
view.subscribe((each) => keptView.set(each));
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

const keptFold = remembered('localStorage', 'busbar.trace.fold');

/** Whether a frame that was sent and received again is one row. */
export const isFolded = signal(keptFold.get() === 'true');

export const fold = (isOn: boolean): void => {
  isFolded.value = isOn;
  keptFold.set(String(isOn));
};

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
export const frameView = (): FrameView => (view.value === 'by-id' ? 'by-id' : 'frames');
export const isDetailOpen = signal(false);
/** Serial of the ID that the view of changes shows in full. */
export const shownId = signal<number | null>(null);
/** Incremented when the table must be redrawn for reasons unknown to the worker. */
export const redraws = signal(0);

/** New frames are shown as they arrive. */
export const isFollowing = computed(() => !isPaused.value && !isFileShown.value);

export const chooseSource = (source: 'live' | 'file'): void => {
  wantsFile.value = source === 'file';
  if (source === 'file' && view.peek() === 'pdus') view.value = 'frames';
};

export const chooseTime = (mode: TimeMode): void => {
  timeMode.value = mode;
  keptMode.set(mode);
};

/** A file without a date has no absolute times. */
export const shownTime = computed<TimeMode>(() =>
  timeMode.value === 'absolute' && isFileShown.value && fileStatus.value?.hasDate === false
    ? 'relative'
    : timeMode.value,
);

/** Serial of the row that was selected before the chronological view was left. */
export const lastSelected = signal<number | null>(null);

/** The selected row, which stays in view when the filter changes. */
export const keptRow = signal<{ readonly serial: number } | null>(null);

/** Rows of another source have other serials. */
shownRows.subscribe(() => {
  keptRow.value = null;
  selected.value = null;
  isDetailOpen.value = false;
  shownId.value = null;
  lastSelected.value = null;
});

export const chooseView = (next: TraceView): void => {
  if (view.peek() === next) return;
  if (view.peek() === 'frames') lastSelected.value = selectedSerial.peek();
  selected.value = null;
  isDetailOpen.value = false;
  view.value = next;
};

export const pause = (): void => {
  if (!isFollowing.peek()) return;
  isPaused.value = true;
  askTrace({ type: 'pause' });
};

export const resume = (): void => {
  if (!isPaused.peek() || isFileShown.peek()) return;
  isPaused.value = false;
  olderResult.value = null;
  liveRows.found.value = null;
  askTrace({ type: 'resume' });
};

export const clear = (): void => {
  if (isFileShown.peek()) return;
  selected.value = null;
  isDetailOpen.value = false;
  olderResult.value = null;
  clearNotes();
  askTrace({ type: 'clear' });
};

const everSeen = new SeenChannels();

/** Includes closed channels, because their frames can still be shown. */
const liveChannels = computed(() => {
  everSeen.take(channels.data.value?.channels ?? []);
  return everSeen.all;
});

export const seenChannels = computed(() =>
  isFileShown.value ? fileChannels.value : liveChannels.value,
);

const channelNames = computed(() => new ChannelNames(seenChannels.value));

export const channelName = ({
  channel,
  timestampUs,
}: Pick<FrameRow, 'channel' | 'timestampUs'>): string =>
  channelNames.peek().nameOf(channel, timestampUs) ?? `slot ${channel}`;

/** When the current channel with that slot was opened. */
const openedUs = (slot: number): number =>
  liveChannels.value.findLast((seen) => seen.slot === slot)?.fromUs ?? 0;

export const shownCatalogs = computed(() =>
  isFileShown.value ? fileCatalogs.value : (catalogs.data.value ?? new Map()),
);

const liveNames = computed<NameSources>(() => ({
  gateways: gatewayMessages.value,
  messages: messagesOf(catalogs.data.value?.values() ?? []),
  attached: (channels.data.value?.channels ?? []).map(({ slot, databases }) => ({
    ...{ slot, databases },
    fromUs: openedUs(slot),
  })),
  plans: (plans.data.value?.plans ?? [])
    .filter(isMessagePlan)
    .map(({ slot, id, extended, pgn, database, message }) => ({
      slot,
      // The plan does not apply to an earlier channel with the same slot.
      fromUs: openedUs(slot),
      id,
      extended,
      pgn,
      database,
      name: message,
    })),
}));

/** Messages of running gateways on the channels that the file was recorded from. */
const fileGateways = computed(() =>
  recordedFrom.value.flatMap((live, slot) =>
    gatewayMessages.value
      .filter((message) => message.slot === live?.slot)
      .map((message) => ({ ...message, slot })),
  ),
);

export const nameSources = computed<NameSources>(() =>
  isFileShown.value
    ? {
        messages: messagesOf(fileCatalogs.value.values()),
        attached: fileAttachments.value,
        plans: [],
        gateways: fileGateways.value,
      }
    : liveNames.value,
);

export const messageNames = computed(() => new MessageNames(nameSources.value));

export const messageName = ({
  channel,
  timestampUs,
  bus,
  id,
  flags,
}: Pick<FrameRow, 'channel' | 'timestampUs' | 'bus' | 'id' | 'flags'>): string | null =>
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

/** What a row of missing frames says. */
export const gapText = ({ serial, sequence, eventId }: FrameRow): string => {
  const { reasons } = (isFileShown.peek() && fileStatus.peek()) || {};
  if (!reasons) return gapSentence(sequence, eventId);
  const reason = reasons.get(serial);
  const lost = gapRemarkOf(sequence);
  return reason === undefined ? lost : `${lost}: ${reason}`;
};

const keepSelected = (): void => {
  const serial = selectedSerial.peek();
  if (serial !== null && !isFollowing.peek()) keptRow.value = { serial };
};

const isFiltering = computed(() => fileStatus.value?.isFiltering ?? false);

export const filterErrors = signal<FilterErrors>({});

const filteredChannels = signal<readonly SlotSpan[] | null>(null);

export const loadOlder = (): void => {
  if (isFileShown.peek()) return;
  const spans = filteredChannels.peek();
  const isShown = spans && spanTest(spans);
  const open = channels.data.peek()?.channels ?? [];
  askOlder(
    isShown &&
      open.filter(({ slot }) => isShown(slot, serviceNowUs())).map(({ selector }) => selector),
  );
};

/** Sends a setting to the engine of the shown source; the other one receives it when it is shown. */
export const askShown = (asked: RowRequest): void => {
  if (isFileShown.value) askFile(asked);
  else askTrace(asked);
};

export const followSettings = (): (() => void) => {
  const stops = [
    effect(() => askShown({ type: 'names', sources: nameSources.value })),
    effect(() => askShown({ type: 'channels', seen: seenChannels.value })),
    effect(() => {
      // Channel names cannot be checked before the channels are known.
      const areKnown = isFileShown.value || channels.data.value !== null;
      if (filterText.value.channel !== '' && !areKnown) return;
      // Twins are found in the live trace only.
      const isOneRow = isFolded.value && !isFileShown.value;
      const parsed = parseFilter(filterText.value, seenChannels.value, isOneRow);
      filterErrors.value = 'errors' in parsed ? parsed.errors : {};
      // The previous filter stays while the text has errors.
      if (!('filter' in parsed)) return;
      askShown({ type: 'filter', filter: parsed.filter });
      keepSelected();
      // Older frames of the newly filtered channels have not been requested.
      if (JSON.stringify(parsed.filter.channels) !== JSON.stringify(filteredChannels.peek())) {
        olderResult.value = null;
      }
      filteredChannels.value = parsed.filter.channels;
    }),
    effect(() => {
      // Rows of a large file are filtered in parts, also those before the selected row.
      if (!isFiltering.value && fileStatus.peek()?.state !== 'reading') keepSelected();
    }),
    effect(() => {
      void [timeMode.value, messageNames.value, seenChannels.value, markChanges.value];
      void [isFolded.value, notes.value, failingChecks.value];
      redraws.value = redraws.peek() + 1;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
