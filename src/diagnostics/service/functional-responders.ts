import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import type { Lane, LaneOwner, TxOutcome } from '../../bench/outbox/lane.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { frm2Flags, frm2Id, frm2PayloadLength } from '../../frame/frm2-codec.ts';
import { frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import type { IsotpAddress, IsotpPair } from '../../pdu/isotp/addressing.ts';
import type { Link } from '../../pdu/isotp/link-settings.ts';
import { Pci, readPci } from '../../pdu/isotp/pci.ts';
import { IsotpReceiver } from '../../pdu/isotp/receiver.ts';
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

const foreign = frameFlag.remote | frameFlag.error;
const maxResponders = 32;
const legislated = { functional: 0x7df, first: 0x7e8, last: 0x7ef, toRequest: 8 } as const;

/** Identifiers with addresses in their low bytes: 18DA, and 18CE of mixed addressing. */
const fixedBases: readonly number[] = [0x18da, 0x18ce];

/** Where flow control for a response goes, if its identifier says so. */
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
  readonly id: number;
  readonly receiver: IsotpReceiver;
}

/**
 * The other ECUs that answer a functional request, while it is under way: 7E8 to 7EF after 7DF,
 * 29-bit identifiers with our address, and the ECUs of other links.
 */
export class FunctionalResponders implements LaneOwner {
  readonly #options: RespondersOptions;
  readonly #timer: Task;
  readonly #pci = new Pci();
  readonly #bytes = new Uint8Array(maxFdLength);
  #responders: Responder[] = [];
  /** Receivers of the flow controls at the port, oldest first. */
  readonly #flows: IsotpReceiver[] = [];
  #lane: Lane | null = null;
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
    const { channel } = this.#options;
    this.#lane = channel.outbox.open(this, { isUrgent: true });
    this.#stopListening = channel.onFrame((record, at) => this.#hear(record, at));
  }

  stop(): void {
    this.#lane?.close();
    this.#lane = null;
    this.#flows.length = 0;
    this.#responders = [];
    this.#timer.cancel();
    this.#stopListening();
    this.#stopListening = () => undefined;
  }

  room(): void {
    this.#serve();
  }

  settled(outcome: TxOutcome, atUs: number): void {
    const receiver = this.#flows.shift();
    if (outcome === 'sent') receiver?.sent(atUs);
    else receiver?.dropped(this.#options.clock.monotonicUs());
    this.#serve();
  }

  #hear(record: DataView, at: number): void {
    const id = frm2Id(record, at);
    const flags = frm2Flags(record, at);
    const { pair } = this.#options.link;
    if (id === pair.response.id || (flags & foreign) !== 0) return;
    const responder = this.#responderOf(id, (flags & frameFlag.extended) !== 0);
    if (!responder) return;
    const length = frm2PayloadLength(record, at);
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) bytes[i] = record.getUint8(at + frm2.payload + i);
    const { addressByte } = pair.response;
    if (addressByte !== null && bytes[0] !== addressByte) return;
    readPci(this.#pci, bytes, 0, length, addressByte === null ? 0 : 1);
    if (this.#pci.kind === 'flow') return;
    responder.receiver.received(this.#pci, bytes, 0, this.#options.clock.monotonicUs());
    this.#serve();
  }

  #responderOf(id: number, extended: boolean): Responder | undefined {
    const known = this.#responders.find((responder) => responder.id === id);
    if (known || this.#responders.length >= maxResponders) return known;
    const { link, peers } = this.#options;
    const peer = peers().find(
      ({ response }) => response.id === id && response.extended === extended,
    );
    const address = peer?.request ?? requestFor(link.pair, id, extended);
    if (!address) return undefined;
    const responder = { id, receiver: this.#receiverFor(id, address, peer === undefined) };
    this.#responders.push(responder);
    return responder;
  }

  #receiverFor(id: number, address: IsotpAddress, hasFlowControl: boolean): IsotpReceiver {
    const { link, listener } = this.#options;
    const { settings } = link;
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
      onBegin: (_length, nowUs) => listener.began(nowUs, id),
      onPayload: (payload, nowUs) => listener.received(payload, nowUs, id),
      onFailed: (code, nowUs) => listener.broke(code, nowUs, id),
    });
  }

  #serve(): void {
    const lane = this.#lane;
    if (!lane) return;
    let dueUs = Number.POSITIVE_INFINITY;
    for (const { receiver } of this.#responders) {
      const frame = receiver.next();
      if (frame) {
        const { id, flags, dlc, data, length } = frame;
        this.#flows.push(receiver);
        if (lane.send(id, flags, dlc, data, 0, length) !== 'accepted') {
          this.#flows.pop();
          receiver.putBack();
        }
      }
      dueUs = Math.min(dueUs, receiver.deadlineUs);
    }
    if (this.#lane && dueUs < Number.POSITIVE_INFINITY) this.#timer.scheduleAt(dueUs);
  }
}
