import type { Scratch } from '../../base/scratch-pool.ts';
import { asciiSlack, asciiText, putAscii, putInteger } from '../../frame/ascii-writer.ts';
import type { ChannelTexts } from '../../frame/channel-texts.ts';
import { writeEventJson } from '../../frame/event-json.ts';
import { frm2Channel, frm2EventId, setFrm2StreamEpoch } from '../../frame/frm2-codec.ts';
import { ChunkBatch } from './chunk-batch.ts';

const beforeId = asciiText('id: ');
const beforeData = asciiText('\nevent: message\ndata: ');
const afterData = asciiText('\n\n');
const longestId = 16;
const aroundEvent = beforeId.length + longestId + beforeData.length + afterData.length + asciiSlack;

/** Raw events as server-sent events. */
export class EventBatch extends ChunkBatch {
  readonly #view: DataView;
  readonly #epoch: number;
  readonly #channels: ChannelTexts;

  constructor(scratch: Scratch, epoch: number, channels: ChannelTexts) {
    super(scratch);
    this.#view = scratch.view;
    this.#epoch = epoch;
    this.#channels = channels;
  }

  /** Writes an event, unless it has no room. The record gets the epoch, too: it is a private copy. */
  addRecord(record: DataView, from: number): boolean {
    const channel = this.#channels.of(frm2Channel(record, from));
    const room = aroundEvent + channel.room;
    if (!this.fits(room)) return false;
    const target = this.#view;
    setFrm2StreamEpoch(record, from, this.#epoch);
    let at = putAscii(target, this.length, beforeId);
    at = putInteger(target, at, frm2EventId(record, from));
    at = putAscii(target, at, beforeData);
    at = writeEventJson(target, at, record, from, channel);
    this.grownTo(putAscii(target, at, afterData), room);
    return true;
  }
}
