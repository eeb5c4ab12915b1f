import { decodedEventJson } from '../../broker/decoded-event.ts';
import { type EventJsonChannel, eventJsonChannel, writeEventJson } from '../../frame/event-json.ts';
import { frm2Channel, frm2Length } from '../../frame/frm2-codec.ts';
import { frm2HeaderLength } from '../../frame/frm2-layout.ts';
import {
  type DecodedBatch,
  type EventRenderer,
  type StreamChannel,
  type StreamGap,
  viewOf,
} from './event-renderer.ts';

const newline = 0x0a;

export class EventJsonl implements EventRenderer {
  readonly head = '';
  readonly #channels = new Map<number, EventJsonChannel>();
  #widestRoom = 0;
  #bytes = new Uint8Array(0);
  #view = viewOf(this.#bytes);

  learn(channels: readonly StreamChannel[]): void {
    for (const { slot, selector } of channels) this.#add(slot, selector);
  }

  render(batch: Uint8Array, decoded: DecodedBatch = []): Uint8Array {
    const records = viewOf(batch);
    if (decoded.length > 0) return Buffer.from(this.#decodedLines(records, batch.length, decoded));
    this.#makeRoom(batch.length);
    let end = 0;
    for (let at = 0; at < batch.length; at += frm2Length(records, at)) {
      const slot = frm2Channel(records, at);
      const channel = this.#channels.get(slot) ?? this.#addUnknown(slot, batch.length);
      end = writeEventJson(this.#view, end, records, at, channel);
      this.#bytes[end++] = newline;
    }
    return this.#bytes.subarray(0, end);
  }

  #decodedLines(records: DataView, length: number, decoded: DecodedBatch): string {
    let lines = '';
    let number = 0;
    for (let at = 0; at < length; at += frm2Length(records, at)) {
      const slot = frm2Channel(records, at);
      const channel = this.#channels.get(slot) ?? this.#add(slot, String(slot));
      lines += `${decodedEventJson(records, at, channel, decoded[number++] ?? null)}\n`;
    }
    return lines;
  }

  gap(gap: StreamGap): string {
    return `${JSON.stringify(gap)}\n`;
  }

  #add(slot: number, selector: string): EventJsonChannel {
    const channel = eventJsonChannel(selector);
    this.#channels.set(slot, channel);
    this.#widestRoom = Math.max(this.#widestRoom, channel.room);
    return channel;
  }

  /** A channel that was not announced is named by its slot. */
  #addUnknown(slot: number, batchLength: number): EventJsonChannel {
    const channel = this.#add(slot, String(slot));
    this.#makeRoom(batchLength);
    return channel;
  }

  #makeRoom(batchLength: number): void {
    const room = Math.ceil(batchLength / frm2HeaderLength) * (this.#widestRoom + 1);
    if (room <= this.#bytes.length) return;
    const grown = new Uint8Array(room);
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = viewOf(grown);
  }
}
