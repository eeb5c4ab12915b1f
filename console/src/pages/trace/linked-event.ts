import { effect, signal } from '@preact/signals';
import { pageId, pageQuery } from '../../state/pages.ts';
import { askEvent, traceStatus } from './trace-client.ts';
import { chooseView, pause, resume } from './trace-state.ts';

/** Event that a link names, until the stream is live: before that, its history is unknown. */
const wanted = signal<number | null>(null);

/** Shows the event of a link such as `#trace?event=123`. */
export const followEventLink = (): (() => void) => {
  const stops = [
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
