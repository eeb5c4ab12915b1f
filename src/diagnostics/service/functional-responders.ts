import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import type { LaneOwner, TxOutcome } from '../../bench/outbox/lane.ts';
import { frm2Flags, frm2Id } from '../../frame/frm2-codec.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { addressKey, type IsotpAddress, type IsotpPair } from '../../pdu/isotp/addressing.ts';
import type { Link } from '../../pdu/isotp/link-settings.ts';
import { IsotpReceiver } from '../../pdu/isotp/receiver.ts';
import { maxResponders } from '../uds-exchange.ts';
import { IsotpInput, IsotpLane } from './isotp-frames.ts';
import type { TransportListener } from './link-transport.ts';

export interface RespondersOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly channel: Channel;
  readonly link: Link;
  readonly listener: TransportListener;
  /** Addresses of the other links on the channel, which send their own flow control. */
  readonly peers: () => readonly IsotpPair[];
}

const legislated = { functional: 0x7df, first: 0x7e8, last: 0x7ef, toRequest: 8 } as const;

/** Identifiers with addresses in their low bytes: 18DA, and 18CE of mixed addressing. */
const fixedBases: readonly number[] = [0x18da, 0x18ce];

/** Address of flow control for a response; null unless its identifier implies one. */
const requestFor = ({ request, functional }: IsotpPair, id: number, extended: boolean) => {
  const address = (requestId: number): IsotpAddress => ({ ...request, id: requestId });
  if (extended !== request.extended) return null;
  if (!extended) {
    const { first, last, toRequest } = legislated;
    const isOne = functional?.id === legislated.functional && id >= first && id <= last;
    return isOne ? address(id - toRequest) : null;
  }
  const base = id >>> 16;
  const tester = (id >>> 8) & 0xff;
  if (!fixedBases.includes(base) || base !== request.id >>> 16) return null;
  if (tester !== (request.id & 0xff)) return null;
  return address(((base << 16) | ((id & 0xff) << 8) | tester) >>> 0);
};

interface Responder {
  /** Address of its responses. */
  readonly from: IsotpAddress;
  readonly receiver: IsotpReceiver;
}

/**
 * The other ECUs that answer a functional request, while it is under way: 7E8 to 7EF after 7DF,
 * 29-bit identifiers with our address, and the ECUs of other links.
 */
export class FunctionalResponders implements LaneOwner {
  readonly #options: RespondersOptions;
  readonly #timer: Task;
  readonly #input = new IsotpInput();
  #responders: Responder[] = [];
  #peers: readonly IsotpPair[] = [];
  /** Flow controls have the index of their responder as tag. */
  #lane: IsotpLane | null = null;
  #stopListening: () => void = () => undefined;

  constructor(options: RespondersOptions) {
    this.#options = options;
    this.#timer = options.scheduler.createTask('functional responders', (nowUs) => {
      for (const { receiver } of this.#responders) receiver.expire(nowUs);
      this.#serve();
      return undefined;
    });
  }

  start(): void {
    this.stop();
    const { channel, clock, peers } = this.#options;
    this.#peers = peers();
    this.#lane = new IsotpLane(channel.outbox.open(this, { isUrgent: true }), clock);
    this.#stopListening = channel.onFrame((record, at) => this.#hear(record, at));
  }

  stop(): void {
    this.#lane?.close();
    this.#lane = null;
    this.#responders = [];
    this.#timer.cancel();
    this.#stopListening();
    this.#stopListening = () => undefined;
  }

  room(): void {
    this.#serve();
  }

  settled(outcome: TxOutcome, atUs: number): void {
    const receiver = this.#responders[this.#lane?.shift() ?? -1]?.receiver;
    if (outcome === 'sent') receiver?.sent(atUs);
    else receiver?.dropped(this.#options.clock.monotonicUs());
    this.#serve();
  }

  #hear(record: DataView, at: number): void {
    if (this.#isFrom(this.#options.link.pair.response, record, at)) return;
    const known = this.#responders.find(({ from }) => this.#isFrom(from, record, at));
    const responder = known ?? this.#addResponder(record, at);
    const { pci, bytes } = this.#input;
    if (!responder || pci.kind === 'flow') return;
    responder.receiver.received(pci, bytes, 0, this.#options.clock.monotonicUs());
    this.#serve();
  }

  /** Whether a frame is from an address; if it is, it was read. */
  #isFrom(address: IsotpAddress, record: DataView, at: number): boolean {
    return frm2Id(record, at) === address.id && this.#input.read(record, at, address);
  }

  #addResponder(record: DataView, at: number): Responder | undefined {
    if (this.#responders.length >= maxResponders) return undefined;
    const { link } = this.#options;
    const peer = this.#peers.find(({ response }) => this.#isFrom(response, record, at));
    const id = frm2Id(record, at);
    const extended = (frm2Flags(record, at) & frameFlag.extended) !== 0;
    const address = peer?.request ?? requestFor(link.pair, id, extended);
    if (!address) return undefined;
    const from = peer?.response ?? { ...link.pair.response, id, extended };
    if (!peer && !this.#isFrom(from, record, at)) return undefined;
    const responder = { from, receiver: this.#receiverFor(from, address, peer === undefined) };
    this.#responders.push(responder);
    return responder;
  }

  #receiverFor(from: IsotpAddress, address: IsotpAddress, hasFlowControl: boolean): IsotpReceiver {
    const { link, listener } = this.#options;
    const { settings } = link;
    const key = addressKey(from);
    return new IsotpReceiver({
      address,
      fd: settings.fd,
      brs: settings.brs,
      padding: settings.padding === 'none' ? null : Number.parseInt(settings.padding, 16),
      blockSize: settings.block_size,
      stMinUs: settings.st_min_us,
      maxLength: settings.max_length,
      nCrUs: settings.n_cr_ms * 1000,
      nArUs: settings.n_as_ms * 1000,
      hasFlowControl,
      onBegin: (_length, nowUs) => listener.began(nowUs, key),
      onPayload: (payload, nowUs) => listener.received(payload, nowUs, key),
      onFailed: (code, nowUs) => listener.broke(code, nowUs, key),
    });
  }

  #serve(): void {
    const lane = this.#lane;
    if (!lane) return;
    let dueUs = Number.POSITIVE_INFINITY;
    this.#responders.forEach(({ receiver }, index) => {
      lane.submitFlow(receiver, index);
      dueUs = Math.min(dueUs, receiver.deadlineUs);
    });
    if (this.#lane && dueUs < Number.POSITIVE_INFINITY) this.#timer.scheduleAt(dueUs);
  }
}
