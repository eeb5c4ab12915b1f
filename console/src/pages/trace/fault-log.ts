import { fdLengths } from '../../../../src/frame/dlc.ts';
import { frameFlag } from '../../../../src/frame/frm2-layout.ts';
import type { MessageEvent as FrameEvent, GatewayFaultEvent } from '../../api/client.ts';

export interface FaultMark extends GatewayFaultEvent {
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
