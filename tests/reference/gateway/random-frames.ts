import { bitsOfField, writeBits } from './bits.ts';
import { bitLengthOf, bitsOfRaw } from './codecs.ts';
import { type E2eLayout, layoutOf, protect, wrapCounter } from './e2e.ts';
import {
  containerOf,
  e2eCodecOf,
  type FrameBindingRow,
  frameBindingsOf,
  linearCodecOf,
  type MessageRow,
  type Tables,
} from './project.ts';
import type { Random } from './random.ts';
import { meaningfulRaw } from './random-codecs.ts';
import type { ScriptEvent } from './script.ts';

type FrameEvent = Extract<ScriptEvent, { kind: 'frame' }>;

/** State of the sender of a received message: its protection and counter. */
interface Sender {
  readonly message: MessageRow;
  readonly bindings: readonly FrameBindingRow[];
  readonly protection:
    | { readonly layout: E2eLayout; readonly from: number; readonly to: number }
    | undefined;
  counter: bigint;
}

const senderOf = (tables: Tables, message: MessageRow): Sender => {
  const bindings = frameBindingsOf(tables).filter(
    (row) => row.direction === 'rx' && containerOf(tables, row).message === message,
  );
  const row = tables.e2e.find(
    (candidate) =>
      candidate.direction === 'check' && containerOf(tables, candidate).message === message,
  );
  if (row === undefined) return { message, bindings, protection: undefined, counter: 0n };
  const { byteOffset: from, length } = containerOf(tables, row);
  const layout = layoutOf(e2eCodecOf(tables, row), length);
  const protection = { layout, from, to: from + length };
  return { message, bindings, protection, counter: layout.counterInitial };
};

/** The other nodes on the buses: they send what the project receives, sometimes with errors. */
export class RandomFrames {
  readonly #random: Random;
  readonly #tables: Tables;
  readonly #senders: readonly Sender[];

  constructor(random: Random, tables: Tables) {
    this.#random = random;
    this.#tables = tables;
    this.#senders = tables.messages
      .filter(({ direction }) => direction === 'rx')
      .map((message) => senderOf(tables, message));
  }

  /** The next frame on one of the endpoints; undefined if none receives anything. */
  next(atUs: number, isUp: (endpoint: string) => boolean): FrameEvent | undefined {
    const senders = this.#senders.filter(({ message }) => isUp(message.endpoint));
    if (senders.length === 0) return undefined;
    const sender = this.#random.pick(senders);
    const { endpoint, can_id: id, extended = false } = sender.message;
    const frame = {
      kind: 'frame',
      atUs,
      endpoint,
      id,
      extended,
      data: this.#data(sender),
    } as const;
    return this.#disturb(frame);
  }

  #data(sender: Sender): Uint8Array {
    const random = this.#random;
    const fill = random.pick([0, 0xff, 'random'] as const);
    const data = new Uint8Array(sender.message.length).map(() =>
      fill === 'random' ? random.integer(0, 255) : fill,
    );
    for (const binding of sender.bindings) if (random.chance(0.6)) this.#place(binding, data);
    if (sender.protection !== undefined) this.#protect(sender, data);
    return data;
  }

  /** Writes a meaningful raw value, mostly with its validity. */
  #place(binding: FrameBindingRow, data: Uint8Array): void {
    const random = this.#random;
    const codec = linearCodecOf(this.#tables, binding);
    const { byteOffset, length } = containerOf(this.#tables, binding);
    const field = data.subarray(byteOffset, byteOffset + length);
    const raw = meaningfulRaw(random, codec);
    const bits = bitsOfField(binding.start_bit, bitLengthOf(codec), codec.byte_order ?? 'intel');
    writeBits(field, bits, bitsOfRaw(codec, raw));
    if (binding.validity_bit === undefined) return;
    writeBits(field, [binding.validity_bit], random.chance(0.8) ? 1n : 0n);
  }

  /** Increments, repeats or skips the counter, and sometimes flips a bit. */
  #protect(sender: Sender, data: Uint8Array): void {
    const random = this.#random;
    if (sender.protection === undefined) return;
    const { layout, from, to } = sender.protection;
    const step = random.weighted({ '1': 14, '0': 2, '2': 2, '3': 1, '7': 1 });
    const counter = wrapCounter(layout, sender.counter - 1n + BigInt(step));
    protect(layout, data.subarray(from, to), counter);
    sender.counter = wrapCounter(layout, counter + 1n);
    if (!random.chance(0.12)) return;
    const at = from + random.integer(0, layout.length - 1);
    data[at] = (data[at] ?? 0) ^ (1 << random.integer(0, 7));
  }

  #disturb(frame: FrameEvent): FrameEvent {
    const random = this.#random;
    const how = random.weighted({
      as_it_is: 60,
      longer: 3,
      shorter: 3,
      remote: 2,
      completion: 1,
      error: 1,
      other_format: 1,
      other_id: 1,
    });
    switch (how) {
      case 'longer':
        return { ...frame, data: Uint8Array.from([...frame.data, 0xa5, 0x5a]) };
      case 'shorter':
        return { ...frame, data: frame.data.slice(0, -1) };
      case 'remote':
        return { ...frame, remote: true, data: new Uint8Array(0) };
      case 'completion':
        return { ...frame, completion: true };
      case 'error':
        return { ...frame, error: true };
      case 'other_format':
        return { ...frame, extended: !frame.extended };
      case 'other_id':
        return { ...frame, id: 0x7ff };
      default:
        return frame;
    }
  }
}
