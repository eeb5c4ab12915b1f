import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import type { FoundChannel } from '../../bench/channel-table.ts';
import { isRefusal, type Lane, type LaneOwner, type TxOutcome } from '../../bench/outbox/lane.ts';
import { nullAddress } from '../../database/j1939.ts';
import type { RefusedSend, SendRefusal } from '../../drivers/send-result.ts';
import { frm2Flags, frm2Id, frm2PayloadLength } from '../../frame/frm2-codec.ts';
import { frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import { lastErrorOf } from '../../transmit/last-error.ts';
import { selectedChannel } from '../../transmit/selected-channel.ts';
import { callerGone, interruptedBy, refusedBy } from '../../transmit/send-failures.ts';
import { AddressClaim } from '../j1939/address-claim.ts';
import { concernsClaims } from '../j1939/claim-frames.ts';
import { nameText } from '../j1939/name.ts';
import { maxSingleFrame, type TransportFrame } from '../j1939/transport-frames.ts';
import type { J1939ClaimRecord } from './claim-record.ts';
import { notSent, portUs } from './j1939-sender.ts';

const retryUs = 250_000;

const foreign = frameFlag.remote | frameFlag.error | frameFlag.fd;

const taken = ({ lostTo, preferred }: AddressClaim): BusbarError =>
  new BusbarError('j1939_address_taken', {
    message: `Address ${preferred} belongs to a node with a lower NAME`,
    details: {
      field: 'address',
      address: preferred,
      name: lostTo === null ? null : nameText(lostTo),
    },
  });

export interface HeldAddressOptions {
  readonly id: string;
  readonly found: FoundChannel;
  readonly name: bigint;
  readonly address: number;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly random: () => number;
  readonly onEnded: () => void;
}

/** An address that a channel claims until it is released or the channel closes. */
export class HeldAddress implements LaneOwner {
  readonly id: string;
  readonly channel: Channel;
  readonly claim: AddressClaim;
  /** Settles when the address is claimed, or cannot be. */
  readonly claimed: Promise<void>;
  readonly #options: HeldAddressOptions;
  readonly #createdAtUs: number;
  readonly #lane: Lane;
  readonly #timer: Task;
  readonly #stopListening: readonly (() => void)[];
  readonly #bytes = new Uint8Array(maxSingleFrame);
  #settle: ((error?: BusbarError) => void) | undefined;
  #inFlight: TransportFrame | null = null;
  #hasSent = false;
  readonly #sentByUs: number;
  #retryUs = Number.POSITIVE_INFINITY;
  #lastRefusal: RefusedSend | undefined;
  #isOver = false;

  constructor(options: HeldAddressOptions) {
    const { id, found, clock, scheduler } = options;
    const { channel } = found;
    this.id = id;
    this.channel = channel;
    this.#options = options;
    this.#createdAtUs = clock.unixUs();
    this.#sentByUs = clock.monotonicUs() + portUs;
    this.claim = new AddressClaim(options);
    this.claimed = new Promise((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve());
    });
    this.#lane = channel.outbox.open(this);
    this.#timer = scheduler.createTask('j1939 claim', (nowUs) => {
      if (!this.#hasSent && nowUs >= this.#sentByUs) this.#fail(notSent());
      if (nowUs >= this.#retryUs) this.#retryUs = Number.POSITIVE_INFINITY;
      this.claim.expire(nowUs);
      this.#serve();
      return undefined;
    });
    const hear = (record: DataView, at: number): void => this.#hear(record, at);
    this.#stopListening = [
      channel.onFrame(hear),
      // Claims on the same channel contend with each other.
      channel.onSent(hear),
      channel.onReturned(() => this.#restart()),
      channel.onInterrupted((why) => {
        if (this.#settle) this.#fail(interruptedBy(why));
        else if (why === 'closed') this.end();
        else if (why === 'configured') this.#restart();
      }),
    ];
  }

  start(): void {
    this.#serve();
  }

  /** The caller disconnected before the address was claimed. */
  cancel(): void {
    if (this.#settle) this.#fail(callerGone());
  }

  room(): void {
    this.#serve();
  }

  settled(outcome: TxOutcome, atUs: number): void {
    const frame = this.#inFlight;
    this.#inFlight = null;
    if (outcome === 'sent') {
      this.#hasSent = true;
      this.#lastRefusal = undefined;
      if (frame) this.claim.sent(frame, atUs);
    } else this.#delay(isRefusal(outcome) ? outcome : undefined);
    this.#serve();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer.cancel();
    for (const stop of this.#stopListening) stop();
    this.#lane.close();
    this.#options.onEnded();
  }

  record(): J1939ClaimRecord {
    const { name, state, address, preferred } = this.claim;
    return {
      claim_id: this.id,
      ...selectedChannel(this.#options.found),
      name: nameText(name),
      state,
      address: address === nullAddress ? null : address,
      requested_address: preferred,
      last_error: lastErrorOf(this.#lastRefusal),
      created_at_us: this.#createdAtUs,
    };
  }

  #hear(record: DataView, at: number): void {
    const id = frm2Id(record, at);
    const flags = frm2Flags(record, at);
    if ((flags & frameFlag.extended) === 0 || (flags & foreign) !== 0) return;
    if (!concernsClaims(id)) return;
    const bytes = this.#bytes;
    const length = frm2PayloadLength(record, at);
    for (let i = 0; i < length; i++) bytes[i] = record.getUint8(at + frm2.payload + i);
    this.claim.received(id, bytes, 0, length, this.#options.clock.monotonicUs());
    this.#serve();
  }

  #restart(): void {
    this.claim.restart();
    this.#serve();
  }

  #delay(refusal: SendRefusal | undefined): void {
    if (refusal !== undefined) {
      this.#lastRefusal = refusal;
      if (!this.#hasSent) this.#fail(refusedBy(refusal, 'channel'));
    }
    this.#retryUs = this.#options.clock.monotonicUs() + retryUs;
  }

  #serve(): void {
    if (this.#isOver) return;
    const { claim } = this;
    if (claim.frame && !this.#inFlight && this.#retryUs === Number.POSITIVE_INFINITY) {
      this.#submit(claim.frame);
    }
    this.#report();
    if (this.#isOver) return;
    const firstUs = this.#hasSent ? Number.POSITIVE_INFINITY : this.#sentByUs;
    const nextUs = Math.min(claim.deadlineUs, this.#retryUs, firstUs);
    if (nextUs === Number.POSITIVE_INFINITY) this.#timer.cancel();
    else this.#timer.scheduleAt(nextUs);
  }

  #submit(frame: TransportFrame): void {
    const { id, data } = frame;
    const { length } = data;
    const result = this.#lane.send(id, frameFlag.extended, length, data, 0, length);
    if (result === 'accepted') this.#inFlight = frame;
    else if (result !== 'full') this.#delay(result);
  }

  /** Settles the request once the outcome is on the bus. */
  #report(): void {
    const { state, frame, deadlineUs } = this.claim;
    if (!this.#settle || this.#inFlight || frame) return;
    if (state === 'claimed') {
      this.#settle();
      this.#settle = undefined;
    } else if (state === 'cannot_claim' && deadlineUs === Number.POSITIVE_INFINITY) {
      this.#fail(taken(this.claim));
    }
  }

  #fail(error: BusbarError): void {
    this.#settle?.(error);
    this.#settle = undefined;
    this.end();
  }
}
