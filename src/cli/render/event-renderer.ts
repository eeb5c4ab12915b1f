import type { ChannelRecord } from '../../bench/channel-record.ts';
import type { DecodedFrame, GapEvent } from '../../frame/event-record.ts';

export type StreamChannel = Readonly<Pick<ChannelRecord, 'slot' | 'selector' | 'name'>>;

export type StreamGap = { readonly event: 'gap' } & GapEvent;

/** Names and values by record of a batch; empty without decoding. */
export type DecodedBatch = readonly (DecodedFrame | null)[];

/** Formats batches of a stream. */
export interface EventRenderer {
  readonly head: string;
  learn(channels: readonly StreamChannel[]): void;
  render(batch: Uint8Array, decoded?: DecodedBatch): string | Uint8Array;
  gap(gap: StreamGap): string | null;
}

export const gapText = (gap: StreamGap, after: unknown): string => {
  const { missed, oldest_available: oldest, newest_available: newest } = gap;
  const kept = `oldest available ${oldest}, newest ${newest}\n`;
  // The number is unknown if the cursor is in the future.
  if (missed === null && Number(after) > newest) {
    return `gap: --after=${after} is ahead of the newest event; ${kept}`;
  }
  const lost = missed === null ? 'events' : `${missed} ${missed === 1 ? 'event' : 'events'}`;
  return `gap: ${lost} lost; ${kept}`;
};

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
