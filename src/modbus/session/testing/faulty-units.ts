import type { FakeClock } from '../../../base/clock/testing/fake-clock.ts';
import type { Framing } from '../../framing/framing.ts';
import { wordAt } from '../../pdu/wire-words.ts';
import { unreachable } from '../../transport/unreachable.ts';
import { framingFor, type ScriptedLink, type ScriptedTransport } from './scripted-transport.ts';

/** The value of every register; any other value is wrong. */
export const trueValue = (unit: number, address: number): number =>
  (Math.imul(unit + 1, 40_503) + Math.imul(address, 2_654_435_761)) & 0xffff;

/** Pseudo-random numbers, the same in every run. */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

type Fault = (units: FaultyUnits, link: ScriptedLink, reply: Uint8Array) => void;

const damaged = (bytes: Uint8Array, random: () => number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  const at = Math.floor(random() * copy.length);
  copy[at] = (copy[at] as number) ^ (1 << Math.floor(random() * 7));
  return copy;
};

/** All faults on the way of a reply. */
const commonFaults: Readonly<Record<string, Fault>> = {
  drop: () => undefined,
  truncate: (units, link, reply) =>
    units.later(link, reply.slice(0, Math.floor(units.random() * reply.length)), 1),
  garbageBefore: (units, link, reply) => {
    const garbage = Uint8Array.from({ length: 1 + Math.floor(units.random() * 5) }, () =>
      Math.floor(units.random() * 256),
    );
    units.later(link, Buffer.concat([garbage, reply]), 1);
  },
  copyTwice: (units, link, reply) => units.later(link, Buffer.concat([reply, reply]), 1),
  dieBefore: (units, link) => void units.clock.after(1, () => link.lose()),
  dieInTheMiddle: (units, link, reply) => {
    units.clock.after(1, () => {
      link.receive(reply.slice(0, reply.length >> 1));
      link.lose(unreachable('peer', 'ECONNRESET'));
    });
  },
};

/** Only transactions distinguish a reply from a late reply to the same request. */
const tcpFaults: Readonly<Record<string, Fault>> = {
  ...commonFaults,
  delay: (units, link, reply) => units.later(link, reply, 1 + units.random() * 3000),
  copyLater: (units, link, reply) => {
    units.later(link, reply, 1);
    units.later(link, reply, 1 + units.random() * 500);
  },
  hold: (units, link, reply) => {
    units.held = { link, reply };
  },
  otherTransaction: (units, link, reply) => {
    reply[1] = (reply[1] as number) ^ 1;
    units.later(link, reply, 1);
  },
  otherUnit: (units, link, reply) => {
    reply[6] = (reply[6] as number) ^ 1;
    units.later(link, reply, 1);
  },
  stopAnswering: (units) => {
    units.silentUntilUs = units.clock.monotonicUs() + units.random() * 10_000_000;
  },
};

const serialFaults: Readonly<Record<string, Fault>> = {
  ...commonFaults,
  damage: (units, link, reply) => units.later(link, damaged(reply, units.random), 1),
  // Later than any time-out, and than several later requests.
  late: (units, link, reply) => units.later(link, reply, 200 + units.random() * 4000),
  stopAnswering: (units) => {
    units.silentUntilUs = units.clock.monotonicUs() + units.random() * 5_000_000;
  },
};

/** Units with known registers, on a line that damages their replies. */
export class FaultyUnits {
  readonly clock: FakeClock;
  readonly random: () => number;
  readonly faultShare: number;
  held: { readonly link: ScriptedLink; readonly reply: Uint8Array } | undefined;
  silentUntilUs = 0;
  readonly #transport: ScriptedTransport;
  readonly #faults: readonly Fault[];
  /** The current unit, and the time when each unit has sent all its bytes. */
  #unit = 0;
  readonly #doneUs = new Map<number, number>();

  constructor(transport: ScriptedTransport, clock: FakeClock, seed: number, faultShare: number) {
    this.#transport = transport;
    this.clock = clock;
    this.random = randomNumbers(seed);
    this.faultShare = faultShare;
    this.#faults = Object.values(transport.kind === 'tcp' ? tcpFaults : serialFaults);
    transport.onConnect = (link) => this.#connect(link);
  }

  /** Bytes arrive later, if the link still exists. */
  later(link: ScriptedLink, bytes: Uint8Array, delayMs: number): void {
    this.clock.after(this.#inTurn(delayMs), () => {
      if (this.random() < 0.8 || bytes.length < 2) {
        link.receive(bytes);
        return;
      }
      const cut = 1 + Math.floor(this.random() * (bytes.length - 1));
      link.receive(bytes.slice(0, cut));
      link.receive(bytes.slice(cut));
    });
  }

  /** A unit on a serial line answers one request at a time. */
  #inTurn(delayMs: number): number {
    if (this.#transport.kind === 'tcp') return delayMs;
    const nowUs = this.clock.monotonicUs();
    const atUs = Math.max(nowUs + 1000 * delayMs, (this.#doneUs.get(this.#unit) ?? 0) + 1000);
    this.#doneUs.set(this.#unit, atUs);
    return (atUs - nowUs) / 1000;
  }

  #connect(link: ScriptedLink): void {
    // Only the newest link is checked.
    this.#transport.links.splice(0, this.#transport.links.length - 1);
    const fate = this.random();
    if (fate < this.faultShare / 4) return;
    if (fate < this.faultShare / 2) {
      this.clock.after(1, () => link.lose(unreachable('peer', 'ECONNREFUSED')));
      return;
    }
    const framing = framingFor(this.#transport.kind, 'server', {
      frame: (transaction, unit, bytes, at, length) =>
        this.#reply(link, framing, transaction, unit, bytes.slice(at, at + length)),
      problem: () => undefined,
    });
    link.onWrite = (bytes) => {
      link.written.length = 0;
      framing.push(bytes, this.clock.monotonicUs());
    };
    this.clock.after(1, () => link.open());
  }

  #reply(
    link: ScriptedLink,
    framing: Framing,
    transaction: number,
    unit: number,
    request: Uint8Array,
  ): void {
    if (this.clock.monotonicUs() < this.silentUntilUs) return;
    this.#unit = unit;
    const into = new Uint8Array(framing.maxLength);
    const reported = this.#answerTo(unit, request);
    if (reported === undefined) return;
    const length = framing.encode(into, 0, transaction, unit, reported, 0, reported.length);
    const reply = into.slice(0, length);
    const { held } = this;
    this.held = undefined;
    if (this.random() >= this.faultShare) this.later(link, reply, 1 + this.random() * 20);
    else this.#faults[Math.floor(this.random() * this.#faults.length)]?.(this, link, reply);
    // Delayed replies now arrive after those to later requests.
    if (held) this.later(held.link, held.reply, 30);
  }

  #answerTo(unit: number, request: Uint8Array): Uint8Array | undefined {
    if (request[0] === 8) return this.#answerToProbe(unit, request);
    if (this.random() < 0.02) return Uint8Array.of(0x83, 6);
    const [address, count] = [wordAt(request, 1), wordAt(request, 3)];
    const pdu = new Uint8Array(2 + 2 * count);
    pdu.set([3, 2 * count]);
    for (let i = 0; i < count; i++) {
      const value = trueValue(unit, address + i);
      pdu.set([value >> 8, value & 0xff], 2 + 2 * i);
    }
    return pdu;
  }

  /** One of three units echoes requests, one returns an exception, and one is silent. */
  #answerToProbe(unit: number, request: Uint8Array): Uint8Array | undefined {
    if (unit % 3 === 0) return undefined;
    return unit % 3 === 1 ? Uint8Array.of(0x88, 1) : request;
  }
}
