import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { seededRandom } from '../../base/testing/seeded-random.ts';
import { globalAddress } from '../../database/j1939.ts';
import { eventKindCode } from '../../frame/frm2-layout.ts';
import type { Pdu } from '../pdu.ts';
import { Listener } from '../testing/frames.ts';
import { TransferSender } from './transfer-sender.ts';
import {
  abortFrame,
  clearToSend,
  control,
  endOfMessage,
  isTransferData,
  packetBytes,
  packetsOf,
  type TransportFrame,
  uint16At,
} from './transport-frames.ts';

const pgn = 0xfeca;
const frameUs = 1000;
/** Longer than every time-out of transfers. */
const silenceUs = 1_300_000;
const receiverUs = 750_000;
const maxRequests = 4;

type Random = () => number;

/**
 * Receiver of transfers to one address. It asks for blocks of any size, and again for what it
 * missed.
 */
class Receiver {
  deadlineUs = Number.POSITIVE_INFINITY;
  readonly payloads: string[] = [];
  readonly #ends: { readonly source: number; readonly destination: number };
  readonly #random: Random;
  #bytes = new Uint8Array();
  #next = 1;
  #blockEnd = 0;
  #requests = 0;

  constructor(source: number, destination: number, random: Random) {
    this.#ends = { source, destination };
    this.#random = random;
  }

  /** Returns its answer, or null. */
  take({ id, data }: TransportFrame, nowUs: number): TransportFrame | null {
    if (isTransferData(id)) return this.#packet(data, nowUs);
    if (data[0] === control.rts) {
      this.#bytes = new Uint8Array(uint16At(data, 1));
      this.#next = 1;
      this.#requests = 0;
      return this.#request(nowUs);
    }
    this.deadlineUs = Number.POSITIVE_INFINITY;
    return null;
  }

  expire(nowUs: number): TransportFrame | null {
    if (nowUs < this.deadlineUs) return null;
    this.#requests += 1;
    if (this.#requests <= maxRequests) return this.#request(nowUs);
    this.deadlineUs = Number.POSITIVE_INFINITY;
    return abortFrame(this.#ends, pgn, 3);
  }

  #packet(data: Uint8Array, nowUs: number): TransportFrame | null {
    if (this.deadlineUs === Number.POSITIVE_INFINITY || data[0] !== this.#next) return null;
    const at = (this.#next - 1) * packetBytes;
    this.#bytes.set(data.subarray(1, 1 + Math.min(packetBytes, this.#bytes.length - at)), at);
    this.#next += 1;
    this.deadlineUs = nowUs + receiverUs;
    if (this.#next > packetsOf(this.#bytes.length)) {
      this.deadlineUs = Number.POSITIVE_INFINITY;
      this.payloads.push(Buffer.from(this.#bytes).toString('hex'));
      return endOfMessage(this.#ends, pgn, this.#bytes.length);
    }
    return this.#next > this.#blockEnd ? this.#request(nowUs) : null;
  }

  #request(nowUs: number): TransportFrame {
    const left = packetsOf(this.#bytes.length) - this.#next + 1;
    const count = Math.min(left, 1 + Math.floor(this.#random() * 16));
    this.#blockEnd = this.#next + count - 1;
    this.deadlineUs = nowUs + receiverUs;
    return clearToSend(this.#ends, pgn, count, this.#next);
  }
}

/** A sender and its receiver, with one session after the other. */
interface Pair {
  readonly source: number;
  readonly destination: number;
  readonly receiver: Receiver | null;
  sender: TransferSender | null;
  payload: string;
  /** The listener has seen this session as it was sent. */
  isClean: boolean;
  isSeen: boolean;
  atUs: number;
}

class Bus {
  readonly listener: Listener;
  sessions = 0;
  complete = 0;
  nowUs = 0;
  readonly #random: Random;
  readonly #faults: number;
  readonly #pairs: readonly Pair[];
  #held: TransportFrame | null = null;
  #seenPdus = 0;

  constructor(seed: number, faults: number) {
    this.#random = seededRandom(seed);
    this.#faults = faults;
    this.listener = new Listener();
    this.#pairs = Array.from({ length: 6 }, (_, number) => {
      const destination = number < 3 ? globalAddress : 0x80 + number;
      return {
        source: number,
        destination,
        receiver: number < 3 ? null : new Receiver(destination, number, this.#random),
        sender: null,
        payload: '',
        isClean: true,
        isSeen: false,
        atUs: 1_000_000,
      };
    });
  }

  run(sessions: number): void {
    while (this.sessions < sessions) {
      const pair = this.#pairs.reduce((first, other) => (other.atUs < first.atUs ? other : first));
      this.nowUs = Math.max(this.nowUs, pair.atUs);
      this.#step(pair);
    }
  }

  #step(pair: Pair): void {
    const { sender, receiver } = pair;
    if (sender === null) {
      this.#start(pair);
      return;
    }
    sender.expire(this.nowUs);
    const request = receiver?.expire(this.nowUs) ?? null;
    if (request !== null) this.#answer(pair, request);
    const { frame } = sender;
    if (frame !== null) {
      sender.sent(this.nowUs);
      if (sender.isOver) sender.frame = null;
      this.#send(pair, frame);
    }
    if (sender.isOver && sender.frame === null) {
      this.#finish(pair);
      return;
    }
    const nextUs = sender.frame === null ? sender.deadlineUs : this.nowUs + frameUs;
    pair.atUs = Math.min(nextUs, receiver?.deadlineUs ?? nextUs);
  }

  #start(pair: Pair): void {
    const length = 9 + Math.floor(this.#random() ** 4 * 400);
    const payload = Uint8Array.from({ length }, () => this.#random() * 256);
    const { source, destination } = pair;
    pair.sender = new TransferSender({ source, destination, pgn, payload });
    pair.payload = Buffer.from(payload).toString('hex');
    pair.isClean = true;
    pair.isSeen = false;
    pair.atUs = this.nowUs + frameUs;
  }

  #finish(pair: Pair): void {
    if (this.#held !== null && this.#isOf(pair, this.#held)) this.#deliverHeld();
    this.#checkPdus();
    if (pair.receiver !== null && pair.sender?.state === 'done') {
      expect(pair.receiver.payloads.pop()).toBe(pair.payload);
    }
    if (pair.isClean && pair.sender?.state === 'done') expect(pair.isSeen).toBe(true);
    // Packets of one session would continue another one that lost its announcement: only the
    // time between them distinguishes them.
    const pauseUs = pair.isClean ? Math.floor(this.#random() * 100) * 1000 : silenceUs;
    if (pair.receiver !== null) pair.receiver.deadlineUs = Number.POSITIVE_INFINITY;
    pair.sender = null;
    pair.atUs = this.nowUs + frameUs + pauseUs;
    this.sessions += 1;
  }

  #isOf({ source, destination }: Pair, { id }: TransportFrame): boolean {
    const [from, to] = [id & 0xff, (id >> 8) & 0xff];
    return (from === source && to === destination) || (from === destination && to === source);
  }

  #isFault(): boolean {
    return this.#random() < this.#faults;
  }

  /** A frame of the sender; the receiver can miss it. */
  #send(pair: Pair, frame: TransportFrame): void {
    this.#hear(pair, frame);
    const answer = this.#isFault() ? null : (pair.receiver?.take(frame, this.nowUs) ?? null);
    if (answer !== null) this.#answer(pair, answer);
  }

  /** A frame of the receiver; the sender can miss it. */
  #answer(pair: Pair, frame: TransportFrame): void {
    this.#hear(pair, frame);
    if (!this.#isFault()) pair.sender?.received(frame.data, 0, frame.data.length, this.nowUs);
  }

  /** The listener misses frames, or has them twice or after the next one. */
  #hear(pair: Pair, frame: TransportFrame): void {
    const [isLost, isLate, isRepeated] = [this.#isFault(), this.#isFault(), this.#isFault()];
    if (isLost || isLate || isRepeated) pair.isClean = false;
    if (isLate && !isLost && this.#held === null) {
      this.#held = frame;
      return;
    }
    if (!isLost) this.#deliver(frame);
    if (!isLost && isRepeated) this.#deliver(frame);
    this.#deliverHeld();
    this.#checkPdus();
  }

  #deliverHeld(): void {
    if (this.#held !== null) this.#deliver(this.#held);
    this.#held = null;
  }

  #deliver({ id, data }: TransportFrame): void {
    const afterMs = Math.max(0, this.nowUs - this.listener.timeUs) / 1000;
    this.listener.wait(afterMs).hear({ id, data, afterMs: 0, kind: eventKindCode.rx_frame });
  }

  /** Every complete payload is the one that its sender sends, and comes once. */
  #checkPdus(): void {
    const { pdus } = this.listener;
    for (; this.#seenPdus < pdus.length; this.#seenPdus += 1) {
      const pdu: Pdu | undefined = pdus[this.#seenPdus];
      if (pdu?.status !== 'complete') continue;
      const pair = this.#pairs.find(({ source }) => source === pdu.source);
      expect(Buffer.from(pdu.payload).toString('hex')).toBe(pair?.payload);
      expect(pair?.isSeen).toBe(false);
      if (pair !== undefined) pair.isSeen = true;
      this.complete += 1;
    }
    if (this.#seenPdus > 1000) {
      pdus.length = 0;
      this.#seenPdus = 0;
    }
  }
}

const runs = Array.from({ length: cases(3, 51) }, (_, index) => {
  const faults = [0, 0.005, 0.05][index % 3] ?? 0;
  return { seed: index + 1, faults };
});

describe('senders, receivers and a listener on one bus', () => {
  it.each(runs)(
    'never give a wrong payload: seed $seed, $faults of the frames disturbed',
    (run) => {
      const bus = new Bus(run.seed, run.faults);
      const sessions = cases(300, 2000);
      bus.run(sessions);
      // Six of them can still be open.
      expect(bus.complete).toBeGreaterThan(run.faults === 0 ? sessions - 7 : sessions / 4);
    },
  );
});
