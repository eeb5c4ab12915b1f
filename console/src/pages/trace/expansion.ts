import { computed, effect, signal } from '@preact/signals';
import type { DatabaseMessage } from '../../api/client.ts';
import { type DecodedSignal, decodeMessage } from '../../codec/decode-message.ts';
import { type FrameRow, isGap } from '../../trace-core/frame-row.ts';
import { Definitions } from '../../trace-core/message-names.ts';
import type { FrameView } from '../../trace-core/row-windows.ts';
import { keptFrames } from '../../trace-core/trace-engine.ts';
import { fileStatus, isFileShown, openedFile } from '../../trace-files/open-file.ts';
import { shownRows } from './trace-client.ts';
import { askShown, messageNames, shownCatalogs } from './trace-state.ts';

const definitions = computed(() => new Definitions(shownCatalogs.value.values()));

/** The message whose signals a row has; null if it has none. */
export const definitionOf = (row: FrameRow): DatabaseMessage | null =>
  isGap(row) ? null : definitions.value.ofFrame(messageNames.value, row);

/** Database and name of the message of a row. */
export const nameOf = ({ channel, timestampUs, bus, id, flags }: FrameRow) =>
  messageNames.value.find(channel, timestampUs, bus, id, flags);

/** Messages by key, and rows that differ from the others of their message. */
interface ShownSignals {
  readonly messages: ReadonlyMap<string, { readonly database: string; readonly name: string }>;
  readonly singles: ReadonlyMap<number, string>;
}

const none: ShownSignals = { messages: new Map(), singles: new Map() };

const shown = { frames: signal(none), 'by-id': signal(none) };

const keyOf = (row: FrameRow): string => JSON.stringify(nameOf(row));

export const isShowingSignals = (view: FrameView, row: FrameRow): boolean => {
  const { messages, singles } = shown[view].value;
  return messages.has(keyOf(row)) !== singles.has(row.serial);
};

/** The rows of a large file are too many to find those with a message. */
export const canShowMessages = (view: FrameView): boolean =>
  view === 'by-id' || !isFileShown.value || (fileStatus.value?.rows ?? 0) <= keptFrames;

/** Shows or hides the signals of rows. */
export const showSignals = (view: FrameView, rows: readonly FrameRow[], isShown: boolean): void => {
  const { messages, singles } = shown[view].value;
  const next = new Map(singles);
  for (const row of rows) {
    if (definitionOf(row) === null) continue;
    const key = keyOf(row);
    if (messages.has(key) === isShown) next.delete(row.serial);
    else next.set(row.serial, key);
  }
  shown[view].value = { messages, singles: next };
  isWanted.value = true;
};

/** Shows or hides the signals of all rows that have the messages of these. */
export const showMessages = (
  view: FrameView,
  rows: readonly FrameRow[],
  isShown: boolean,
): void => {
  if (!canShowMessages(view)) return;
  const messages = new Map(shown[view].value.messages);
  const keys = new Set(rows.filter((row) => definitionOf(row) !== null).map(keyOf));
  for (const row of rows) {
    const name = nameOf(row);
    const key = keyOf(row);
    if (name === null || !keys.has(key)) continue;
    if (isShown) messages.set(key, name);
    else messages.delete(key);
  }
  const singles = [...shown[view].value.singles].filter(([, key]) => !keys.has(key));
  shown[view].value = { messages, singles: new Map(singles) };
  isWanted.value = true;
};

/** Signals were shown, or a search has asked for them. */
const isWanted = signal(false);

/** Sends the messages with their signals to the worker, which few users need. */
export const sendDefinitions = (): void => {
  isWanted.value = true;
};

export const followExpansions = (): (() => void) => {
  const stops = [
    effect(() => {
      // Rows of another source have other serials.
      void [shownRows.value, openedFile.value];
      for (const each of Object.values(shown)) each.value = none;
    }),
    effect(() => {
      if (isWanted.value)
        askShown({ type: 'define', databases: [...shownCatalogs.value.values()] });
    }),
    ...(['frames', 'by-id'] as const).map((view) =>
      effect(() => {
        const { messages, singles } = shown[view].value;
        if (!isWanted.value) return;
        const expansion = { serials: [...singles.keys()], messages: [...messages.values()] };
        askShown({ type: 'expand', view, expansion });
      }),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};

let latest: { serial: number; eventId: number; message: DatabaseMessage } | null = null;
let signals: readonly DecodedSignal[] = [];

/** The signal of a line below a frame; the lines of a frame are drawn one after the other. */
export const signalOf = (row: FrameRow): DecodedSignal | null => {
  const message = definitionOf(row);
  if (message === null) return null;
  const { serial, eventId, line } = row;
  if (latest?.serial !== serial || latest.eventId !== eventId || latest.message !== message) {
    latest = { serial, eventId, message };
    signals = decodeMessage(message, row.data.subarray(0, row.length)).filter(
      ({ state }) => state !== 'inactive',
    );
  }
  return signals[line - 1] ?? null;
};

/** Name, value with its unit, and raw value. */
export const signalTexts = (row: FrameRow): readonly [string, string, string] => {
  const found = signalOf(row);
  if (found === null) return ['', '', ''];
  const {
    signal: { name },
    state,
    value,
    label,
    unit,
    raw,
  } = found;
  if (state === 'short') return [name, 'frame too short', ''];
  const text = value === null || unit === '' ? (value ?? raw) : `${value} ${unit}`;
  return [name, label === null ? text : `${label} (${text})`, raw];
};
