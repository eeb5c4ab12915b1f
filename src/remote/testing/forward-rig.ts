import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import type { HostPort } from '../../base/net/host-port.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { BenchOfRings, type OpenRing } from '../../broker/testing/bench-of-rings.ts';
import { SilentBell } from '../../broker/testing/silent-bell.ts';
import { dlcToLength, lengthToDlc } from '../../frame/dlc.ts';
import { setFrm2TimestampUs, writeFrm2 } from '../../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import type {
  DatagramSocket,
  ForwardChannel,
  ForwardLane,
  ForwardLaneOwner,
  Interruption,
  SocketEvents,
} from '../ports.ts';
import { RemoteForwarder, type RemoteForwarderOptions } from '../remote-forwarder.ts';

/** Settings of a frame on the bus. */
export interface BusFrame {
  readonly id: number;
  readonly hex?: string;
  readonly flags?: number;
  readonly dlc?: number;
  readonly kind?: keyof typeof eventKindCode;
  readonly timestampUs?: number;
}

/** A channel with a real ring; the test controls which frames it accepts. */
export class FakeChannel implements ForwardChannel, ForwardLane {
  readonly slot: number;
  readonly selector: string;
  readonly opened: OpenRing;
  isOpen = true;
  /** Free places for frames. */
  room = Number.POSITIVE_INFINITY;
  /** Reason for which it sends nothing, if any. */
  refusal: string | null = null;
  /** Called when a frame is accepted. */
  onSend: () => void = () => undefined;
  /** Holds accepted frames until released; otherwise they complete immediately. */
  holds = false;
  pending = 0;
  readonly sent: string[] = [];
  readonly deadlines: number[] = [];
  readonly #interruptions = new Set<(why: Interruption) => void>();
  #owner: ForwardLaneOwner | undefined;
  #max = 0;
  #wantsRoom = false;

  constructor(slot: number, opened: OpenRing) {
    this.slot = slot;
    this.selector = `SIM00001/${slot}`;
    this.opened = opened;
  }

  get ring() {
    return this.opened.ring;
  }

  get listeners(): number {
    return (this.#owner ? 1 : 0) + this.#interruptions.size;
  }

  catchUp(): void {}

  openLane(owner: ForwardLaneOwner, max: number): ForwardLane {
    this.#owner = owner;
    this.#max = max;
    return this;
  }

  discard(): number {
    return 0;
  }

  close(): void {
    this.#owner = undefined;
  }

  send(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    deadlineUs: number,
  ) {
    this.onSend();
    if (this.refusal !== null) return this.refusal;
    if (this.room === 0 || this.pending >= this.#max) {
      this.#wantsRoom = true;
      return 'full';
    }
    this.room--;
    this.deadlines.push(deadlineUs);
    const hex = Buffer.from(data.subarray(offset, offset + length)).toString('hex');
    this.sent.push(`${id.toString(16)}/${flags}/${dlc}#${hex}`);
    if (this.holds) this.pending++;
    else this.#owner?.settled('sent');
    return 'accepted';
  }

  onInterrupted(listener: (why: Interruption) => void): () => void {
    this.#interruptions.add(listener);
    return () => void this.#interruptions.delete(listener);
  }

  /** Frames of any sender were sent, so that as many places are free again. */
  complete(frames: number): void {
    for (let i = 0; i < frames; i++) {
      this.room++;
      this.#settle('sent');
      this.#offerRoom();
    }
  }

  /** All accepted frames are dropped with this reason. */
  fail(outcome = 'failed'): void {
    this.room += this.pending;
    while (this.pending > 0) this.#settle(outcome);
    this.#offerRoom();
  }

  interrupt(why: Interruption): void {
    if (why === 'closed') this.isOpen = false;
    for (const listener of [...this.#interruptions]) listener(why);
    if (this.isOpen) this.#offerRoom();
  }

  #settle(outcome: string): void {
    if (this.pending === 0) return;
    this.pending--;
    this.#owner?.settled(outcome);
  }

  #offerRoom(): void {
    if (!this.#wantsRoom) return;
    this.#wantsRoom = false;
    this.#owner?.room();
  }

  /** Publishes an event without ringing the bell. */
  publish({ id, hex = '', flags = 0, dlc, kind = 'rx_frame', timestampUs = 0 }: BusFrame): void {
    const { writer } = this.opened;
    const data = Buffer.from(hex, 'hex');
    const isFd = (flags & frameFlag.fd) !== 0;
    const code = dlc ?? lengthToDlc(data.length, isFd);
    const length = (flags & frameFlag.remote) !== 0 ? 0 : dlcToLength(code, isFd);
    const bus = isFd ? busCode.canfd : busCode.can;
    const at = writer.reserve();
    const { view } = writer;
    writeFrm2(view, at, bus, eventKindCode[kind], this.slot, id, flags, code, data, 0, length);
    setFrm2TimestampUs(view, at, timestampUs);
    writer.commit();
  }
}

/** A socket whose peer is the test. */
export class FakeSocket implements DatagramSocket {
  readonly local: HostPort;
  isReady = true;
  isClosed = false;
  dropped: number | null = 0;
  /** Datagrams that the system has not sent yet. */
  untaken = 0;
  readonly sent: { readonly hex: string; readonly port: number }[] = [];
  events: SocketEvents | undefined;

  constructor(local: HostPort = { host: '127.0.0.1', port: 20_000 }) {
    this.local = local;
  }

  attach(events: SocketEvents): void {
    this.events = events;
  }

  send(bytes: Uint8Array, length: number, { port }: HostPort): void {
    this.sent.push({ hex: Buffer.from(bytes.subarray(0, length)).toString('hex'), port });
  }

  overruns(): number | null {
    return this.isClosed ? null : this.dropped;
  }

  close(): number {
    this.isClosed = true;
    return this.untaken;
  }

  deliver(hex: string, port = firstPeer.port, host = firstPeer.host): void {
    this.events?.datagram(Buffer.from(hex.replaceAll(' ', ''), 'hex'), host, port);
  }

  drain(): void {
    this.isReady = true;
    this.events?.drained();
  }

  /** Sequence numbers of the datagrams sent to a peer. */
  sequencesTo(port: number): number[] {
    return this.sent.flatMap((one) =>
      one.port === port ? [Number.parseInt(one.hex.slice(4, 6), 16)] : [],
    );
  }

  /** Frame counts in the datagrams to a peer. */
  framesTo(port: number): number {
    return this.sent.reduce(
      (sum, one) => sum + (one.port === port ? Number.parseInt(one.hex.slice(6, 10), 16) : 0),
      0,
    );
  }
}

export const firstPeer: HostPort = { host: '192.0.2.1', port: 20_001 };
export const secondPeer: HostPort = { host: '192.0.2.2', port: 20_002 };

/** A handwritten datagram with this many empty classic frames. */
export const datagramOf = (sequence: number, frames: readonly string[]): string => {
  const head = Buffer.from([2, 0, sequence & 0xff, frames.length >> 8, frames.length & 0xff]);
  return head.toString('hex') + frames.join('');
};

/** The wire bytes of a classic frame: id and data in hex. */
export const wireFrame = (id: number, hex = ''): string =>
  id.toString(16).padStart(8, '0') + (hex.length / 2).toString(16).padStart(2, '0') + hex;

export const bufferUs = 2000;

/** A fake clock for a process that is sometimes stopped: time passes, and nothing runs. */
export class HaltingClock extends FakeClock {
  #haltedUs = 0;

  override monotonicUs(): number {
    return super.monotonicUs() + this.#haltedUs;
  }

  override unixUs(): number {
    return super.unixUs() + this.#haltedUs;
  }

  halt(deltaUs: number): void {
    this.#haltedUs += deltaUs;
  }
}

/** A forwarder between fake channels and a fake socket, with a clock controlled by the test. */
export class ForwardRig {
  readonly clock = new HaltingClock({ startUs: 5_000_000 });
  readonly defects: unknown[] = [];
  readonly scheduler = new Scheduler({
    clock: this.clock,
    alarm: new FakeAlarm(this.clock),
    onError: (error) => this.defects.push(error),
  });
  readonly rings = new BenchOfRings();
  readonly bell = new SilentBell();
  readonly socket = new FakeSocket();
  readonly channels: FakeChannel[] = [];
  readonly forwarder: RemoteForwarder;

  constructor(
    options: Partial<RemoteForwarderOptions> & {
      readonly channelCount?: number;
      readonly ringSlots?: number;
      /** Frames that were received before forwarding began. */
      readonly before?: readonly BusFrame[];
    } = {},
  ) {
    const { channelCount = 1, ringSlots = 1024, before = [], ...more } = options;
    const publisher = this.rings.publisher();
    for (let slot = 0; slot < channelCount; slot++) {
      this.channels.push(new FakeChannel(slot, this.rings.open(slot, ringSlots, publisher)));
    }
    for (const frame of before) this.channel().publish(frame);
    this.forwarder = new RemoteForwarder({
      clock: this.clock,
      scheduler: this.scheduler,
      memory: this.rings.memory,
      bell: this.bell,
      socket: this.socket,
      peers: [firstPeer],
      channels: this.channels,
      maxAgeUs: Number.POSITIVE_INFINITY,
      bufferUs,
      ...more,
    });
  }

  /** The only channel, or the one in this slot. */
  channel(slot = 0): FakeChannel {
    const channel = this.channels[slot];
    if (!channel) throw new RangeError(`No such channel: ${slot}`);
    return channel;
  }

  /** Publishes an event on a bus. */
  receive(frame: BusFrame, slot = 0): void {
    this.channel(slot).publish({ timestampUs: this.clock.unixUs(), ...frame });
    this.bell.ring();
  }

  get record() {
    return this.forwarder.record();
  }

  /** State of the only peer, or of this one. */
  peer(index = 0) {
    const peer = this.record.peers[index];
    if (!peer) throw new RangeError(`There is no peer ${index}`);
    return peer;
  }

  line(index = 0) {
    const line = this.record.channels[index];
    if (!line) throw new RangeError(`No such channel: ${index}`);
    return line;
  }
}
