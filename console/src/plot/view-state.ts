import { signal } from '@preact/signals';
import { choices, isPlotLive, seriesOf, watched } from '../samples/signals-state.ts';
import { serviceNowUs } from '../state/service-clock.ts';
import { isLike, rememberedJson } from '../storage/remembered.ts';
import { type PaneMode, paneModes } from './panes.ts';
import { rangeOverAll, type TimeRange, windows } from './time-range.ts';

interface KeptView {
  readonly windowUs: number;
  readonly panes: PaneMode;
}

const first: KeptView = { windowUs: windows[1].us, panes: 'unit' };

const isView = (value: unknown): value is KeptView =>
  isLike(value, first) &&
  windows.some(({ us }) => us === value.windowUs) &&
  paneModes.includes(value.panes);

const kept = rememberedJson('busbar.signals.view', first, isView);

export const windowUs = signal(kept.get().windowUs);
export const paneMode = signal<PaneMode>(kept.get().panes);
/** Range shown instead of the latest samples, after a pause, zoom or pan. */
export const frozen = signal<TimeRange | null>(null);
export const cursorUs = signal<number | null>(null);
export const focusKey = signal<string | null>(null);
export const beat = signal(0);

windowUs.subscribe((us) => kept.set({ ...kept.get(), windowUs: us }));
paneMode.subscribe((panes) => kept.set({ ...kept.get(), panes }));

const newestUs = (): number =>
  Math.max(
    ...[...choices.peek(), ...watched.peek()].map(
      (choice) => seriesOf(choice).latest?.timestamp_us ?? 0,
    ),
  );

/** Current time of the plot; without a stream, the time of the newest sample. */
export const nowUs = (): number => {
  const newest = newestUs();
  return isPlotLive.peek() || newest <= 0 ? serviceNowUs() : newest;
};

export const latestRange = (us: number): TimeRange => {
  const toUs = nowUs();
  return { fromUs: toUs - us, toUs };
};

export const shownRange = (): TimeRange => frozen.peek() ?? latestRange(windowUs.peek());

/** Freezes the view, or follows the latest samples again; samples are received in both cases. */
export const togglePause = (): void => {
  frozen.value = frozen.peek() ? null : shownRange();
};

export const showLive = (us = windowUs.peek()): void => {
  windowUs.value = us;
  frozen.value = null;
};

export const showAll = (): void => {
  const ranges = choices
    .peek()
    .map(seriesOf)
    .filter(({ length }) => length > 0)
    .map((each) => ({ fromUs: each.timeAt(0), toUs: each.timeAt(each.length - 1) }));
  frozen.value = rangeOverAll(ranges);
};
