import { computed, effect, signal } from '@preact/signals';
import { info } from '../../state/bench.ts';
import { pageId, pageQuery } from '../../state/pages.ts';
import { isLike, remembered, rememberedJson } from '../../storage/remembered.ts';
import { isFileShown } from '../../trace-files/open-file.ts';
import { askEvent, traceStatus } from './trace-client.ts';
import { chooseView, isPaused, pause, resume, selected, view } from './trace-state.ts';

/** Event that a link names, until the stream is live: before that, its history is unknown. */
const wanted = signal<number | null>(null);

/** What a reload of the same tab returns to, while the daemon is the same. */
interface HeldPlace {
  readonly isPaused: boolean;
  /** Event of the selected row. */
  readonly eventId: number | null;
  readonly daemon: string | null;
}

const followingPlace: HeldPlace = { isPaused: false, eventId: null, daemon: null };
const placeKey = 'busbar.trace.place';
const keptPlace = rememberedJson(
  placeKey,
  followingPlace,
  (value): value is HeldPlace => isLike(value, { isPaused: false }),
  remembered('sessionStorage', placeKey),
);
let left: HeldPlace | null = keptPlace.get();

const daemon = computed(() => info.data.value?.service.instance_id ?? null);

const place = computed(() => ({
  isPaused: isPaused.value,
  eventId: isFileShown.value ? null : (selected.value?.eventId ?? null),
  daemon: daemon.value,
}));

/** Pauses where the trace was paused before a reload, with the row that was selected. */
const returnToPlace = (): void => {
  if (left === null || daemon.value === null || traceStatus.value.state !== 'live') return;
  const before = left;
  left = null;
  if (!before.isPaused || before.daemon !== daemon.value || wanted.peek() !== null) return;
  if (before.eventId === null || view.peek() !== 'frames') pause();
  else wanted.value = before.eventId;
};

/** Shows the event of a link such as `#trace?event=123`, or the row that was selected before a reload. */
export const followEventLink = (): (() => void) => {
  const stops = [
    effect(returnToPlace),
    effect(() => {
      const now = place.value;
      if (left === null) keptPlace.set(now);
    }),
    effect(() => {
      const event = pageQuery.value.get('event');
      if (pageId.peek() === 'trace' && event !== null && /^\d+$/.test(event)) {
        wanted.value = Number(event);
      }
    }),
    effect(() => {
      const event = wanted.value;
      if (event === null || traceStatus.value.state !== 'live') return;
      wanted.value = null;
      chooseView('frames');
      // A view that was paused earlier does not have the event.
      resume();
      pause();
      askEvent(event);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
