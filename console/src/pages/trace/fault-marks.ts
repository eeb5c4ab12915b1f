import { computed, signal } from '@preact/signals';
import { fdLengths } from '../../../../src/frame/dlc.ts';
import { frameFlag } from '../../../../src/frame/frm2-layout.ts';
import type { ApiError } from '../../api/api-error.ts';
import { call, type MessageEvent as FrameEvent, type GatewayFaultEvent } from '../../api/client.ts';
import { isServed } from '../../state/connection.ts';
import { faultyInstances, instances } from '../../state/gateways.ts';
import { pageId } from '../../state/route.ts';
import { serviceNowUs } from '../../state/service-clock.ts';
import type { FrameRow } from '../../trace-core/frame-row.ts';
import { askTrace } from './trace-client.ts';

/** Rows of a live trace are soon out of sight: marks have to come while they are seen. */
const pollMs = 100;
/** A frame that was not sent by then never will be. */
const pendingUs = 2_000_000;
const mostMarks = 16_384;

/** What a fault rule did to a frame, and in which instance. */
interface FaultMark extends GatewayFaultEvent {
  readonly instance: string;
}

/** By the event of the frame; those that were not sent have numbers below zero of their own. */
const marks = new Map<number, readonly FaultMark[]>();
/** Moves on whenever rows may have got marks. */
export const markChanges = signal(0);
export const hasMarks = computed(() => markChanges.value > 0);

export const faultMarks = ({ eventId }: Pick<FrameRow, 'eventId'>): readonly FaultMark[] =>
  marks.get(eventId) ?? [];

export const faultText = (row: FrameRow): string =>
  faultMarks(row)
    .map(({ kind, rule }) => `▲ ${kind} ${rule}`)
    .join(', ');

const addMark = (eventId: number, mark: FaultMark): void => {
  const known = marks.get(eventId) ?? [];
  if (known.some(({ instance, rule }) => instance === mark.instance && rule === mark.rule)) return;
  marks.set(eventId, [...known, mark]);
  const [oldest = 0] = marks.keys();
  if (marks.size > mostMarks) marks.delete(oldest);
};

let unsent = 0;

/** A frame that was kept off the bus as a row of the trace. */
const droppedFrame = (event: GatewayFaultEvent, channel: number): FrameEvent => {
  const { id, extended, fd, brs, data, selector, timestamp_us } = event;
  return {
    ...{ event_id: --unsent, kind: 'tx_complete', bus: fd ? 'canfd' : 'can', channel },
    ...{ selector: selector ?? '', id, extended, fd, brs, timestamp_us, data: data ?? '' },
    ...{ remote: false, esi: false, error: false, status: 0, checksum: 0 },
    ...{ source_sequence: 0, hardware_sequence: 0, filter_hit: 0, stream_epoch: 0 },
    dlc: fdLengths.findIndex((room) => room >= (data ?? '').length / 2),
    flags:
      (extended ? frameFlag.extended : 0) | (fd ? frameFlag.fd : 0) | (brs ? frameFlag.brs : 0),
  };
};

/** The events of one instance, as far as they have been read. */
class FaultLog {
  readonly #instance: string;
  /** Frames from before that were not seen, and are no part of the trace. */
  readonly #sinceUs = serviceNowUs();
  #after = 0;
  /** The last event whose frame is a row if it was dropped. */
  #shown = 0;
  #isReading = false;

  constructor(instance: string) {
    this.#instance = instance;
  }

  async read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for (let isMore = true; isMore; ) {
        const [params, query] = [{ instance: this.#instance }, { after: this.#after }];
        const page = await call('gateway.fault-events', { ...params, ...query });
        this.#take(page.fault_events);
        isMore = page.fault_events.length > 0 && page.next_after < page.newest_available;
        this.#after = isMore ? page.next_after : this.#settled(page.fault_events, page.next_after);
      }
    } catch (thrown) {
      const { code, details } = thrown as ApiError;
      if (code === 'cursor_expired') {
        this.#after = Number(details.oldest_available) - 1;
        // Another instance has taken the name: its events begin anew.
        if (Number(details.newest_available) < this.#shown) this.#shown = 0;
      }
    }
    this.#isReading = false;
  }

  #take(events: readonly GatewayFaultEvent[]): void {
    const dropped: FrameEvent[] = [];
    for (const event of events) {
      const mark = { ...event, instance: this.#instance };
      if (event.event_id !== null) addMark(event.event_id, mark);
      else if (this.#isDropped(event) && event.channel !== null) {
        const frame = droppedFrame(event, event.channel);
        addMark(frame.event_id, mark);
        dropped.push(frame);
      }
      this.#shown = Math.max(this.#shown, event.sequence);
    }
    if (dropped.length > 0) askTrace({ type: 'dropped', events: dropped });
    if (events.length > 0) markChanges.value += 1;
  }

  #isDropped({ sequence, effect, timestamp_us }: GatewayFaultEvent): boolean {
    const isUnsent = effect === 'dropped' || effect === 'suppressed';
    return isUnsent && sequence > this.#shown && timestamp_us >= this.#sinceUs;
  }

  /** The sequence to go on after: frames that wait to be sent get their event later. */
  #settled(events: readonly GatewayFaultEvent[], last: number): number {
    const pending = events.find(
      ({ event_id, effect, timestamp_us }) =>
        event_id === null &&
        (effect === 'injected' || effect === 'unprotected' || effect === 'repeated') &&
        serviceNowUs() - timestamp_us < pendingUs,
    );
    return pending ? pending.sequence - 1 : last;
  }
}

/** Reads what fault rules do while the trace is in front. Answers how to stop. */
export const followFaults = (): (() => void) => {
  const logs = new Map<string, FaultLog>();
  const timer = setInterval(() => {
    if (!isServed.peek() || pageId.peek() !== 'trace') return;
    const faulty = new Set(faultyInstances.peek().map(({ instance }) => instance));
    for (const { instance } of instances.peek() ?? []) {
      const isNew = !logs.has(instance);
      if (isNew) logs.set(instance, new FaultLog(instance));
      if (isNew || faulty.has(instance)) void logs.get(instance)?.read();
    }
  }, pollMs);
  return () => clearInterval(timer);
};
