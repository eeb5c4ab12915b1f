import { DeadlineHeap } from '../../base/schedule/deadline-heap.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { FindingCode, Pdu, PduStatus } from '../pdu.ts';
import { TwinFilter } from '../twin-filter.ts';
import type { IsotpPair } from './addressing.ts';
import { HeardFrame, IdMarks } from './heard-frame.ts';
import { HeardMessage } from './heard-message.ts';
import {
  formatOf,
  idFormat,
  KnownAddress,
  KnownAddresses,
  markByRule,
  resolveLin,
} from './known-addresses.ts';
import { isBeginning, isFlowLike, PairCandidates } from './pair-candidates.ts';
import { maxShortLength, maxSingle, Pci, readPci } from './pci.ts';

export interface IsotpListenerOptions {
  readonly onPdu: (pdu: Pdu) => void;
  readonly maxPayload?: number;
  /** For the payloads of all open messages. */
  readonly maxBytes?: number;
  readonly maxMessages?: number;
}

/** Frames without data, or with data that the bus rejected. */
const notData =
  frameFlag.remote |
  frameFlag.error |
  frameFlag.checksumError |
  frameFlag.noResponse |
  frameFlag.syncBreak |
  frameFlag.wakeUp |
  frameFlag.sleep;

class Channel {
  readonly addresses: KnownAddresses;
  readonly candidates: PairCandidates;
  readonly messages = new Map<number, HeardMessage>();
  readonly deadlines = new DeadlineHeap<HeardMessage>();
  readonly twins = new TwinFilter();

  constructor(marks: IdMarks) {
    this.addresses = new KnownAddresses(marks);
    this.candidates = new PairCandidates(marks);
  }
}

const statusOf = (code: FindingCode): PduStatus =>
  code === 'flow_overflow' || code === 'flow_invalid' ? 'aborted' : 'lost';

/**
 * Passive reassembly of ISO-TP and of the LIN transport layer, from frames in event order. It
 * never writes. Each address of each channel has a message of its own, so nodes that send at
 * the same time are never mixed. Frames of other traffic allocate nothing.
 */
export class IsotpListener {
  readonly #onPdu: (pdu: Pdu) => void;
  readonly #maxPayload: number;
  readonly #maxBytes: number;
  readonly #maxMessages: number;
  readonly #channels = new Map<number, Channel>();
  readonly #marks = new IdMarks();
  readonly #cells: Uint32Array;
  /** Filled before a call of `take`, since numbers as arguments would allocate. */
  readonly frame = new HeardFrame();
  readonly #address = new KnownAddress();
  readonly #pci = new Pci();
  #lastKey = -1;
  #last: Channel;
  #messages = 0;
  #bytes = 0;

  constructor(options: IsotpListenerOptions) {
    this.#onPdu = options.onPdu;
    this.#maxPayload = options.maxPayload ?? 1024 * 1024;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
    this.#maxMessages = options.maxMessages ?? 4096;
    markByRule(this.#marks);
    this.#last = new Channel(this.#marks);
    this.#cells = this.#marks.cells;
  }

  /** Addresses of the bench's ECUs on a channel, instead of those before. */
  setPairs(channel: number, pairs: readonly IsotpPair[]): void {
    this.#channelOf(channel).addresses.give(pairs);
  }

  /**
   * Whether `take` is to be called for a frame: few look-ups, since most frames are of other
   * traffic. The data of a frame begin at `at`.
   */
  concerns(flags: number, id: number, bytes: Uint8Array, at: number): boolean {
    if ((flags & notData) !== 0) return false;
    if ((flags & frameFlag.extended) === 0) {
      if (this.#cells[IdMarks.standardCell(id)] !== 0) return true;
      return isBeginning(bytes[at] as number, bytes[at + 1] as number);
    }
    const format = formatOf(id);
    if (format === idFormat.isotp || this.#cells[IdMarks.extendedCell(id)] !== 0) return true;
    const first = bytes[at] as number;
    // Broadcasts are most of the traffic of a truck, and have no address bytes.
    return isBeginning(first, format === idFormat.broadcast ? first : (bytes[at + 1] as number));
  }

  #isMarked(extended: boolean, id: number): boolean {
    if (!extended) return this.#cells[IdMarks.standardCell(id)] !== 0;
    return this.#cells[IdMarks.extendedCell(id)] !== 0 || formatOf(id) === idFormat.isotp;
  }

  /** Takes `frame`, if it `concerns`. */
  take(bus: number): void {
    const { frame } = this;
    const { channel, id, extended, bytes, at, length, timestampUs } = frame;
    const state = channel === this.#lastKey ? this.#last : this.#channelOf(channel);
    // The short way for traffic whose data only look like a first frame.
    if (bus !== busCode.lin && !this.#isMarked(extended, id)) {
      const { candidates } = state;
      if (candidates.isEmpty || !isFlowLike(bytes[at] as number, bytes[at + 1] as number)) {
        candidates.note(frame);
        return;
      }
    }
    if (state.deadlines.firstDeadline < timestampUs) this.#expire(state, timestampUs);
    if (length === 0) return;
    if (bus === busCode.lin) this.#takeLin(state, frame);
    else if (!this.#takeKnown(state, frame)) this.#takeUnknown(state, frame);
  }

  /** Ends the messages whose time-out lies before a time. */
  expire(nowUs: number): void {
    for (const channel of this.#channels.values()) this.#expire(channel, nowUs);
  }

  /** Events before `eventId` were lost, on any channel. */
  missed(eventId: number): void {
    for (const channel of this.#channels.values()) {
      channel.candidates.clear();
      for (const message of channel.messages.values()) {
        this.#fail(channel, message, 'events_missing', eventId);
      }
    }
  }

  /** The channel, or all channels, ended: reports what is open. */
  close(channel?: number, nowUs = Number.NEGATIVE_INFINITY): void {
    for (const [key, state] of this.#channels) {
      if (channel !== undefined && key !== channel) continue;
      for (const message of state.messages.values()) {
        this.#end(state, message, message.isOverdue(nowUs) ? 'timeout' : 'open');
      }
      state.candidates.clear();
      state.addresses.clear();
      this.#channels.delete(key);
    }
    this.#lastKey = -1;
  }

  #channelOf(key: number): Channel {
    let channel = this.#channels.get(key);
    if (channel === undefined) {
      channel = new Channel(this.#marks);
      this.#channels.set(key, channel);
    }
    this.#lastKey = key;
    this.#last = channel;
    return channel;
  }

  #takeLin(channel: Channel, frame: HeardFrame): void {
    const { id, bytes, at, length } = frame;
    if (length !== 8 || !resolveLin(this.#address, id, bytes[at] as number)) return;
    readPci(this.#pci, bytes, at, length, 1);
    if (this.#pci.kind === 'invalid' || this.#pci.kind === 'flow') return;
    if (!isTwin(channel, frame)) this.#takePart(channel, frame, true);
  }

  #takeKnown(channel: Channel, frame: HeardFrame): boolean {
    const { id, extended, bytes, at, length } = frame;
    const address = this.#address;
    if (!channel.addresses.resolve(address, id, extended, bytes[at] as number)) return false;
    readPci(this.#pci, bytes, at, length, address.addressBytes);
    if (this.#pci.kind === 'invalid') {
      // Not ISO-TP after all.
      if (address.isLearned && !channel.messages.has(address.key)) {
        channel.addresses.forget(address.key);
      }
      return false;
    }
    if (isTwin(channel, frame)) return true;
    const isAlone = address.isLearned && address.partnerKey < 0;
    const { key } = address;
    this.#takePart(channel, frame, false);
    if (isAlone) {
      const found = channel.candidates.take(frame);
      if (found && found.key === key) channel.addresses.learn(key, found.partnerKey);
    }
    return true;
  }

  #takeUnknown(channel: Channel, frame: HeardFrame): void {
    const found = channel.candidates.take(frame);
    if (!found) return;
    channel.addresses.learn(found.key, found.partnerKey);
    this.#takeKnown(channel, found.first);
    if (found.flow) this.#takeKnown(channel, found.flow);
    this.#takeKnown(channel, frame);
  }

  #takePart(channel: Channel, frame: HeardFrame, isLin: boolean): void {
    const { kind } = this.#pci;
    const { key, isFunctional } = this.#address;
    if (kind === 'flow') {
      this.#flow(channel, frame);
      return;
    }
    const open = channel.messages.get(key);
    if (kind === 'consecutive') {
      if (open) this.#consecutive(channel, open, frame);
      return;
    }
    // A functional request is one frame.
    if (isFunctional && kind === 'first') return;
    if (open) {
      this.#end(channel, open, open.isOverdue(frame.timestampUs) ? 'timeout' : 'replaced');
    }
    if (kind === 'single') this.#single(frame, isLin);
    else this.#first(channel, frame, isLin);
  }

  #single(frame: HeardFrame, isLin: boolean): void {
    const { length, dataAt } = this.#pci;
    const { timestampUs, eventId } = frame;
    const { address } = this.#address;
    this.#onPdu({
      protocol: isLin ? 'lin' : 'isotp',
      channel: frame.channel,
      firstEventId: eventId,
      lastEventId: eventId,
      timestampUs,
      durationUs: 0,
      frames: 1,
      length,
      payload: frame.bytes.slice(dataAt, dataAt + length),
      status: 'complete',
      findings: [],
      pgn: null,
      source: null,
      destination: null,
      priority: null,
      acknowledged: null,
      id: frame.id,
      extended: frame.extended,
      address: address < 0 ? null : address,
      ...(frame.isMarked && { isMarked: true }),
    });
  }

  #first(channel: Channel, frame: HeardFrame, isLin: boolean): void {
    const pci = this.#pci;
    const { addressBytes } = this.#address;
    const message = new HeardMessage(this.#address, isLin ? 'lin' : 'isotp', frame, pci);
    if (pci.length > this.#maxPayload) {
      this.#onPdu(message.settle('too_long'));
      return;
    }
    const isLongForm = pci.dataAt - frame.at - addressBytes > 2;
    const shortest = isLongForm ? maxShortLength : maxSingle(frame.length, addressBytes);
    if (pci.length <= shortest) message.find('first_frame_short', frame.eventId);
    channel.messages.set(message.key, message);
    this.#messages += 1;
    this.#schedule(channel, message);
    if (!this.#makeRoom(channel, message, frame.eventId)) return;
    if (message.begin(frame, pci) === 'complete') this.#end(channel, message, 'complete');
  }

  #consecutive(channel: Channel, message: HeardMessage, frame: HeardFrame): void {
    const { eventId } = frame;
    message.count(frame);
    if (!this.#makeRoom(channel, message, eventId)) return;
    const result = message.consecutive(frame, this.#pci);
    if (result === 'complete') this.#end(channel, message, 'complete');
    else if (result === 'stored') this.#schedule(channel, message);
    else this.#fail(channel, message, result, eventId);
  }

  #flow(channel: Channel, frame: HeardFrame): void {
    const message = channel.messages.get(this.#address.partnerKey);
    if (!message) return;
    message.count(frame);
    const failure = message.flow(frame, this.#pci);
    if (failure) this.#fail(channel, message, failure, frame.eventId);
    else this.#schedule(channel, message);
  }

  #fail(channel: Channel, message: HeardMessage, code: FindingCode, eventId: number): void {
    message.find(code, eventId);
    this.#end(channel, message, statusOf(code));
  }

  #end(channel: Channel, message: HeardMessage, status: PduStatus): void {
    channel.messages.delete(message.key);
    channel.deadlines.remove(message);
    this.#messages -= 1;
    this.#bytes -= message.memory;
    this.#onPdu(message.settle(status));
    message.free();
  }

  #schedule({ deadlines }: Channel, message: HeardMessage): void {
    deadlines.put(message, message.deadlineUs);
  }

  #expire(channel: Channel, nowUs: number): void {
    const { deadlines } = channel;
    while (deadlines.firstDeadline < nowUs) {
      this.#end(channel, deadlines.first as HeardMessage, 'timeout');
    }
  }

  /** Ends the messages with the earliest time-outs until one has room for more. */
  #makeRoom(channel: Channel, message: HeardMessage, eventId: number): boolean {
    const { growth } = message;
    while (this.#messages > this.#maxMessages || this.#bytes + growth > this.#maxBytes) {
      const victim = channel.deadlines.first as HeardMessage;
      this.#fail(channel, victim, 'memory_limit', eventId);
      if (victim === message) return false;
    }
    if (growth > 0) {
      message.grow();
      this.#bytes += growth;
    }
    return true;
  }
}

/** Frames that a channel reports as sent and as received. */
const isTwin = (
  { twins }: Channel,
  { kind, wide, bytes, at, length, timestampUs }: HeardFrame,
): boolean => twins.isTwin(kind, wide, bytes, at, length, timestampUs);
