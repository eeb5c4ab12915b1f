import type { WindowBounds } from '../../broker/window.ts';
import { asciiSlack, asciiText, putAscii, putInteger } from '../../frame/ascii-writer.ts';
import { type EventJsonChannel, eventJsonChannel, writeEventJson } from '../../frame/event-json.ts';
import { frm2Channel, frm2EventId, setFrm2StreamEpoch } from '../../frame/frm2-codec.ts';
import type { Scratch } from '../stream/scratch-pool.ts';

const beforeId = asciiText('id: ');
const beforeData = asciiText('\nevent: message\ndata: ');
const afterData = asciiText('\n\n');
const longestId = 16;
const aroundEvent = beforeId.length + longestId + beforeData.length + afterData.length + asciiSlack;

/** Room kept for one text, such as a gap with the largest numbers. */
const longestText = 256;

/** The size of a chunk has leading zeros, so that it has its place before it is known. */
const sizeDigits = 8;
const lineEnd = '\r\n';
const chunkHead = sizeDigits + lineEnd.length;
const chunkTail = lineEnd.length;

/** What an event stream needs to know of a channel, prepared once. */
export class ChannelTexts {
  readonly #selectorOf: (slot: number) => string;
  readonly #texts = new Map<number, EventJsonChannel>();

  constructor(selectorOf: (slot: number) => string) {
    this.#selectorOf = selectorOf;
  }

  of(slot: number): EventJsonChannel {
    const known = this.#texts.get(slot);
    if (known) return known;
    const text = eventJsonChannel(this.#selectorOf(slot));
    this.#texts.set(slot, text);
    return text;
  }
}

/** Puts server-sent events one behind the other, in one chunk of an HTTP body. */
export class EventBatch {
  readonly scratch: Scratch;
  readonly #view: DataView;
  readonly #epoch: number;
  readonly #channels: ChannelTexts;
  #length = chunkHead;
  #largestRoom = 0;

  constructor(scratch: Scratch, epoch: number, channels: ChannelTexts) {
    this.scratch = scratch;
    this.#view = scratch.view;
    this.#epoch = epoch;
    this.#channels = channels;
  }

  /** Where the events begin. */
  get start(): number {
    return chunkHead;
  }

  get end(): number {
    return this.#length;
  }

  /** Whether there is room for another event like those so far, and a text. */
  get hasRoom(): boolean {
    return this.#fits(this.#largestRoom + longestText);
  }

  /** Writes an event, unless it has no room. The record gets the epoch, too: it is a private copy. */
  addRecord(record: DataView, from: number): boolean {
    const channel = this.#channels.of(frm2Channel(record, from));
    const room = aroundEvent + channel.room;
    if (!this.#fits(room)) return false;
    const target = this.#view;
    setFrm2StreamEpoch(record, from, this.#epoch);
    let at = putAscii(target, this.#length, beforeId);
    at = putInteger(target, at, frm2EventId(record, from));
    at = putAscii(target, at, beforeData);
    at = writeEventJson(target, at, record, from, channel);
    this.#length = putAscii(target, at, afterData);
    if (room > this.#largestRoom) this.#largestRoom = room;
    return true;
  }

  addGap({ oldestAvailable, newestAvailable }: WindowBounds, missed: number | null): void {
    const data = JSON.stringify({
      oldest_available: oldestAvailable,
      newest_available: newestAvailable,
      missed,
    });
    this.addText(`id: ${oldestAvailable - 1}\nevent: gap\ndata: ${data}\n\n`);
  }

  /** Writes a short text of ASCII as it is. */
  addText(text: string): void {
    this.#length += this.scratch.bytes.write(text, this.#length, 'latin1');
  }

  /** Completes the chunk around the events, from 0 to where the answer says. */
  sealChunk(): number {
    const { bytes } = this.scratch;
    const size = this.#length - chunkHead;
    bytes.write(size.toString(16).padStart(sizeDigits, '0') + lineEnd, 0, 'latin1');
    return this.#length + bytes.write(lineEnd, this.#length, 'latin1');
  }

  #fits(room: number): boolean {
    return this.#length + room + chunkTail <= this.#view.byteLength;
  }
}
