import type { Staging } from '../../broker/staging.ts';
import type { ChannelTexts } from '../../frame/channel-texts.ts';
import { copyWords } from '../../frame/copy-words.ts';
import { type EventJsonChannel, writeEventJson } from '../../frame/event-json.ts';
import { frm2Channel, frm2PayloadLength, setFrm2StreamEpoch } from '../../frame/frm2-codec.ts';
import { frm2HeaderLength, frm2SlotBytes } from '../../frame/frm2-layout.ts';
import { pageBytes } from '../../operations/limits.ts';
import type { Pause } from './page-queue.ts';

/** Bytes of an event in JSON beside its selector and payload, at most. */
const eventBytes = 480;

/** Events that are written before the thread turns to others: well below a millisecond. */
const sliceEvents = 512;

const comma = 0x2c;

/**
 * Gathers one page of history, as much as an answer may hold. The records are copied all at once, so
 * that none is overwritten halfway; their text is written in slices.
 */
export class HistoryCollector {
  readonly #records: DataView;
  readonly #channels: ChannelTexts;
  /** The channel of each record: it may be closed before its events are written. */
  readonly #texts: EventJsonChannel[] = [];
  #room = pageBytes;

  constructor(limit: number, channels: ChannelTexts) {
    this.#records = new DataView(new ArrayBuffer(limit * frm2SlotBytes));
    this.#channels = channels;
  }

  /** Takes the record at that offset; false if the page has no room for it. */
  take({ view }: Staging, at: number): boolean {
    const channel = this.#channels.of(frm2Channel(view, at));
    const payloadLength = frm2PayloadLength(view, at);
    const bytes = eventBytes + channel.beforeId.length + 2 * payloadLength;
    if (bytes > this.#room) return false;
    this.#room -= bytes;
    const place = this.#texts.length * frm2SlotBytes;
    copyWords(this.#records, place, view, at, frm2HeaderLength + payloadLength);
    this.#texts.push(channel);
    return true;
  }

  /** Bytes that `write` needs at most. */
  get textBytes(): number {
    const longestRoom = this.#texts.reduce((most, { room }) => Math.max(most, room), 0);
    return pageBytes - this.#room + longestRoom;
  }

  /** Writes the events, with commas between them, and returns where they ended. */
  async write(target: DataView, at: number, epoch: number, pause: Pause): Promise<number> {
    let place = at;
    for (const [index, channel] of this.#texts.entries()) {
      if (index > 0) {
        if (index % sliceEvents === 0) await pause();
        target.setUint8(place++, comma);
      }
      const record = index * frm2SlotBytes;
      setFrm2StreamEpoch(this.#records, record, epoch);
      place = writeEventJson(target, place, this.#records, record, channel);
    }
    return place;
  }
}
