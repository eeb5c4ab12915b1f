import { SlicedJson } from '../base/json/sliced-json.ts';
import { type Scratch, type ScratchPool, scratchBytes } from '../base/scratch-pool.ts';
import { ChannelTexts } from '../frame/channel-texts.ts';
import { copyWords } from '../frame/copy-words.ts';
import type { DecodeRecord } from '../frame/decoded-frame.ts';
import { writeEventJson } from '../frame/event-json.ts';
import { frm2Channel, frm2PayloadLength, setFrm2StreamEpoch } from '../frame/frm2-codec.ts';
import { frm2HeaderLength, frm2SlotBytes } from '../frame/frm2-layout.ts';
import { decodedEventJson } from './decoded-event.ts';
import type { HistoryPosition } from './history-record.ts';
import type { HistoryOptions, ReaderHub } from './reader-hub.ts';

const copyBytes = (view: DataView, at: number): number =>
  (frm2HeaderLength + frm2PayloadLength(view, at) + 3) & ~3;

/**
 * Copies of FRM2 records in shared scratch memory, written once and read once. Memory is freed
 * as soon as it is read.
 *
 *   blocks   [ record record … record ] [ record … record ] [ record …       ]
 *                      ▲ view, at                                     ▲ end
 */
class CopiedRecords {
  readonly #pool: ScratchPool;
  readonly #blocks: Scratch[] = [];
  readonly #ends: number[] = [];
  #at = 0;

  constructor(pool: ScratchPool) {
    this.#pool = pool;
  }

  add(view: DataView, from: number): void {
    let end = this.#ends.at(-1) ?? scratchBytes;
    if (end + frm2SlotBytes > scratchBytes) {
      this.#blocks.push(this.#pool.take());
      this.#ends.push(0);
      end = 0;
    }
    const target = this.#blocks.at(-1)?.view as DataView;
    const length = copyBytes(view, from);
    copyWords(target, end, view, from, length);
    this.#ends[this.#ends.length - 1] = end + length;
  }

  get hasNext(): boolean {
    return this.#blocks.length > 0;
  }

  get view(): DataView {
    return this.#blocks[0]?.view as DataView;
  }

  get at(): number {
    return this.#at;
  }

  skip(): void {
    this.#at += copyBytes(this.view, this.#at);
    if (this.#at === this.#ends[0]) this.#dropBlock();
  }

  clear(): void {
    while (this.hasNext) this.#dropBlock();
  }

  #dropBlock(): void {
    this.#ends.shift();
    const block = this.#blocks.shift();
    if (block) this.#pool.free(block);
    this.#at = 0;
  }
}

/** Upper bound of an event's JSON size without selector and payload. */
const eventBytes = 480;

const comma = 0x2c;

export interface HistoryQuery extends Omit<HistoryOptions, 'visitor'> {
  readonly epoch: number;
  readonly maxBytes: number;
  /** Adds names and values. It decodes a record twice, with the same result. */
  readonly decode?: DecodeRecord | undefined;
}

export interface HistorySource {
  readonly hub: ReaderHub;
  readonly selectorOf: (slot: number) => string;
  readonly scratch: ScratchPool;
}

/**
 * A page of history, up to the maximum response size. Records are copied at creation so that a
 * slow client loses none. Their JSON, which is much longer, is written while the client reads.
 */
export class HistoryPage extends SlicedJson {
  readonly #channels: ChannelTexts;
  readonly #records: CopiedRecords;
  readonly #epoch: number;
  readonly #decode: DecodeRecord | undefined;
  #pending = Buffer.alloc(0);
  #tail: Buffer;
  #room: number;
  #written = 0;
  #state: 'new' | 'open' | 'done' = 'new';

  /** Throws the query's errors, such as `cursor_expired`. */
  constructor(
    { hub, selectorOf, scratch }: HistorySource,
    { epoch, maxBytes, decode, ...options }: HistoryQuery,
  ) {
    super();
    // Resolved now because a channel may be closed before its events are written.
    this.#channels = new ChannelTexts(selectorOf);
    this.#records = new CopiedRecords(scratch);
    this.#epoch = epoch;
    this.#decode = decode;
    this.#room = maxBytes;
    const { position, bounds, older } = hub.readHistory({
      ...options,
      visitor: ({ view }, offset) => this.#take(view, offset),
    });
    const rest: HistoryPosition = {
      next_after: position,
      oldest_available: bounds.oldestAvailable,
      newest_available: bounds.newestAvailable,
      has_more: position < bounds.newestAvailable,
      stream_epoch: epoch,
      older: older.map(({ channel, oldestAvailable }) => ({
        channel,
        selector: selectorOf(channel),
        oldest_available: oldestAvailable,
      })),
    };
    this.#tail = Buffer.from(`],${JSON.stringify(rest).slice(1)}`);
  }

  writeInto({ bytes, view }: Scratch): number {
    if (this.#state === 'done') return 0;
    let end = this.#state === 'new' ? bytes.write('{"events":[', 'latin1') : 0;
    this.#state = 'open';
    end = this.#decode ? this.#writeDecoded(bytes, end) : this.#writeEvents(view, end);
    if (this.#records.hasNext || this.#pending.length > 0) return end;
    const copied = this.#tail.copy(bytes, end);
    this.#tail = this.#tail.subarray(copied);
    if (this.#tail.length === 0) this.#state = 'done';
    return end + copied;
  }

  close(): void {
    this.#state = 'done';
    this.#pending = Buffer.alloc(0);
    this.#records.clear();
  }

  #take(view: DataView, at: number): boolean {
    const channel = this.#channels.of(frm2Channel(view, at));
    const bytes = eventBytes + channel.beforeId.length + 2 * frm2PayloadLength(view, at);
    const decoded = this.#decode?.(view, at);
    const more = decoded ? Buffer.byteLength(JSON.stringify(decoded)) : 0;
    if (bytes + more > this.#room) return false;
    this.#room -= bytes + more;
    this.#records.add(view, at);
    return true;
  }

  /** A decoded event can be longer than the scratch memory. */
  #writeDecoded(target: Buffer, start: number): number {
    let end = start;
    while (end < target.length) {
      if (this.#pending.length === 0) {
        if (!this.#records.hasNext) break;
        this.#pending = this.#nextDecoded();
      }
      const copied = this.#pending.copy(target, end);
      this.#pending = this.#pending.subarray(copied);
      end += copied;
    }
    return end;
  }

  #nextDecoded(): Buffer<ArrayBuffer> {
    const { view, at } = this.#records;
    const channel = this.#channels.of(frm2Channel(view, at));
    setFrm2StreamEpoch(view, at, this.#epoch);
    const text = decodedEventJson(view, at, channel, this.#decode?.(view, at) ?? null);
    this.#records.skip();
    return Buffer.from(this.#written++ > 0 ? `,${text}` : text);
  }

  #writeEvents(target: DataView, start: number): number {
    const records = this.#records;
    let end = start;
    for (; records.hasNext; records.skip()) {
      const { view, at } = records;
      const channel = this.#channels.of(frm2Channel(view, at));
      if (end + channel.room + 1 > target.byteLength) break;
      if (this.#written++ > 0) target.setUint8(end++, comma);
      setFrm2StreamEpoch(view, at, this.#epoch);
      end = writeEventJson(target, end, view, at, channel);
    }
    return end;
  }
}
