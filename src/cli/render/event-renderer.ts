import type { ChannelRecord } from '../../bench/channel-record.ts';
import type { GapEvent } from '../../frame/event-record.ts';

/** A channel as announced before its first event. */
export type StreamChannel = Readonly<Pick<ChannelRecord, 'slot' | 'selector' | 'name'>>;

/** A gap among the records of a stream. */
export type StreamGap = { readonly event: 'gap' } & GapEvent;

/** Renders batches of a stream in one format. */
export interface EventRenderer {
  /** Printed before the first event. */
  readonly head: string;
  /** Adds channels. */
  learn(channels: readonly StreamChannel[]): void;
  /** FRM2 records as text, in reused memory. */
  render(batch: Uint8Array): string | Uint8Array;
  /** A gap in the output; null if the format has none. */
  gap(gap: StreamGap): string | null;
}

/** A gap in words. */
export const gapText = (gap: StreamGap, after: unknown): string => {
  const { missed, oldest_available: oldest, newest_available: newest } = gap;
  const kept = `oldest available ${oldest}, newest ${newest}\n`;
  // Unknown if the cursor is in the future.
  if (missed === null && Number(after) > newest) {
    return `gap: --after=${after} is ahead of the newest event; ${kept}`;
  }
  const lost = missed === null ? 'events' : `${missed} ${missed === 1 ? 'event' : 'events'}`;
  return `gap: ${lost} lost; ${kept}`;
};

/** A view of the batch's own bytes. */
export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
