import type { ChannelRecord } from '../../bench/channel-record.ts';
import type { GapEvent } from '../../frame/event-record.ts';

/** A channel of a stream, as the daemon announces it before its first event. */
export type StreamChannel = Readonly<Pick<ChannelRecord, 'slot' | 'selector' | 'name'>>;

/** A gap as the daemon sends it among the records of a stream. */
export type StreamGap = { readonly event: 'gap' } & GapEvent;

/** Turns the batches of a stream into text of one format. */
export interface EventRenderer {
  /** What stands above the first event. */
  readonly head: string;
  /** Channels whose events may come from now on. */
  learn(channels: readonly StreamChannel[]): void;
  /** FRM2 records back to back as text. Its memory is used again by the next call. */
  render(batch: Uint8Array): string | Uint8Array;
  /** A gap as part of the output; null where it has no place there. */
  gap(gap: StreamGap): string | null;
}

/** A gap in words, of a stream that was to begin after an event or a sample. */
export const gapText = (gap: StreamGap, after: unknown): string => {
  const { missed, oldest_available: oldest, newest_available: newest } = gap;
  const kept = `oldest available ${oldest}, newest ${newest}\n`;
  // The number is not known where the stream was asked to begin with what is not there.
  if (missed === null && Number(after) > newest) {
    return `gap: --after=${after} is ahead of the newest; ${kept}`;
  }
  const lost = missed === null ? 'events' : `${missed} ${missed === 1 ? 'event' : 'events'}`;
  return `gap: ${lost} lost; ${kept}`;
};

/** A record on its own batch: where the view starts is where the bytes start. */
export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
