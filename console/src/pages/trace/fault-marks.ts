import { computed, effect, signal } from '@preact/signals';
import { fdLengths } from '../../../../src/frame/dlc.ts';
import { frameFlag } from '../../../../src/frame/frm2-layout.ts';
import { call, type MessageEvent as FrameEvent, type GatewayFaultEvent } from '../../api/client.ts';
import { InstanceStream } from '../../gateway/followed-instance.ts';
import { isServed } from '../../state/connection.ts';
import { faultyInstances, instances } from '../../state/gateways.ts';
import { pageId } from '../../state/pages.ts';
import { serviceNowUs } from '../../state/service-clock.ts';
import type { FrameRow } from '../../trace-core/frame-row.ts';
import { askTrace } from './trace-client.ts';

interface FaultMark extends GatewayFaultEvent {
  readonly instance: string;
}

const maxMarks = 16_384;

const droppedFrame = (event: GatewayFaultEvent, event_id: number, channel: number): FrameEvent => {
  const { id, extended, fd, brs, data, selector, timestamp_us } = event;
  return {
    ...{ event_id, kind: 'tx_complete', bus: fd ? 'canfd' : 'can', channel },
    ...{ selector: selector ?? '', id, extended, fd, brs, timestamp_us, data: data ?? '' },
    ...{ remote: false, esi: false, error: false, status: 0, checksum: 0 },
    ...{ source_sequence: 0, hardware_sequence: 0, filter_hit: 0, stream_epoch: 0 },
    dlc: fdLengths.findIndex((room) => room >= (data ?? '').length / 2),
    flags:
      (extended ? frameFlag.extended : 0) | (fd ? frameFlag.fd : 0) | (brs ? frameFlag.brs : 0),
  };
};

const deleteOldest = (entries: Map<unknown, unknown> | Set<unknown>): void => {
  const [oldest] = entries.keys();
  if (entries.size > maxMarks) entries.delete(oldest);
};

/**
 * Fault marks of frames by event ID; frames that were not sent have negative IDs. A stream
 * repeats known events after a reconnection, and repeats an event once its frame is sent.
 */
export class FaultLog {
  readonly #marks = new Map<number, readonly FaultMark[]>();
  readonly #dropped = new Set<string>();
  #unsent = 0;

  marksOf(eventId: number): readonly FaultMark[] {
    return this.#marks.get(eventId) ?? [];
  }

  take(
    instance: string,
    events: readonly GatewayFaultEvent[],
    sinceUs: number,
  ): readonly FrameEvent[] {
    const frames: FrameEvent[] = [];
    for (const event of events) {
      const { event_id, channel, effect, sequence, timestamp_us } = event;
      const mark = { ...event, instance };
      // A new instance of the same name restarts its sequence, so the time is part of the key.
      const key = JSON.stringify([instance, sequence, timestamp_us]);
      const isUnsent = effect === 'dropped' || effect === 'suppressed';
      if (event_id !== null) this.#add(event_id, mark);
      else if (isUnsent && channel !== null && timestamp_us >= sinceUs && !this.#dropped.has(key)) {
        deleteOldest(this.#dropped.add(key));
        this.#unsent -= 1;
        this.#add(this.#unsent, mark);
        frames.push(droppedFrame(event, this.#unsent, channel));
      }
    }
    return frames;
  }

  #add(eventId: number, mark: FaultMark): void {
    const known = this.marksOf(eventId);
    if (known.some(({ instance, rule }) => instance === mark.instance && rule === mark.rule))
      return;
    deleteOldest(this.#marks.set(eventId, [...known, mark]));
  }
}

const log = new FaultLog();

export const markChanges = signal(0);
export const hasMarks = computed(() => markChanges.value > 0);

export const faultMarks = ({ eventId }: Pick<FrameRow, 'eventId'>): readonly FaultMark[] =>
  log.marksOf(eventId);

export const faultText = (row: FrameRow): string =>
  faultMarks(row)
    .map(({ kind, rule }) => `▲ ${kind} ${rule}`)
    .join(', ');

const take = (instance: string, events: readonly GatewayFaultEvent[], sinceUs: number): void => {
  const dropped = log.take(instance, events, sinceUs);
  if (dropped.length > 0) askTrace({ type: 'dropped', events: [...dropped] });
  if (events.length > 0) markChanges.value += 1;
};

const readKept = async (instance: string, sinceUs: number): Promise<void> => {
  for (let after = 0; ; ) {
    const page = await call('gateway.fault-events', { instance, after });
    take(instance, page.fault_events, sinceUs);
    after = page.next_after;
    if (page.fault_events.length === 0 || after >= page.newest_available) return;
  }
};

const follow = (instance: string, sinceUs: number): InstanceStream => {
  const feed = new InstanceStream({
    instance,
    onPiece: ({ event, data }) => {
      if (event !== 'fault_events') return;
      take(instance, (JSON.parse(data) as { fault_events: GatewayFaultEvent[] })[event], sinceUs);
    },
  });
  feed.start();
  return feed;
};

export const followFaults = (): (() => void) => {
  const since = new Map<string, number>();
  const feeds = new Map<string, InstanceStream>();
  const stopAll = (): void => {
    for (const feed of feeds.values()) feed.stop();
    feeds.clear();
  };
  const stop = effect(() => {
    if (!isServed.value || pageId.value !== 'trace') {
      stopAll();
      return;
    }
    const faulty = new Set(faultyInstances.value.map(({ instance }) => instance));
    for (const { instance } of instances.value ?? []) {
      const isNew = !since.has(instance);
      const sinceUs = since.get(instance) ?? serviceNowUs();
      since.set(instance, sinceUs);
      // A feed continues after the last rule is switched off, because events can follow.
      if (faulty.has(instance) && !feeds.has(instance))
        feeds.set(instance, follow(instance, sinceUs));
      else if (isNew) readKept(instance, sinceUs).catch(() => {});
    }
    for (const [name, feed] of feeds) {
      if (instances.value?.some(({ instance }) => instance === name) !== false) continue;
      feed.stop();
      feeds.delete(name);
    }
  });
  return () => {
    stop();
    stopAll();
  };
};
