import type { Channel } from '../../bench/channel.ts';
import { isRefusal, type Lane, type LaneOwner, type TxOutcome } from '../../bench/outbox/lane.ts';
import type { RefusedSend } from '../../drivers/send-result.ts';
import { frm2Flags, frm2Id } from '../../frame/frm2-codec.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { RouteRule } from './route-request.ts';

/** Frames in flight: at the port and queued. */
export const waitingCapacity = 64;

export class SoftwareRoute implements LaneOwner {
  matched = 0;
  sent = 0;
  failed = 0;
  lastRefusal: RefusedSend | undefined;
  readonly #rule: RouteRule;
  readonly #extended: number;
  readonly #lane: Lane;
  readonly #stopListening: () => void;

  constructor(source: Channel, target: Channel, rule: RouteRule) {
    this.#rule = rule;
    this.#extended = rule.extended ? frameFlag.extended : 0;
    this.#lane = target.outbox.open(this, { max: waitingCapacity, reserved: waitingCapacity });
    this.#stopListening = source.onFrame((record, at) => this.#offer(record, at));
  }

  settled(outcome: TxOutcome): void {
    if (outcome === 'sent') {
      this.sent += 1;
      return;
    }
    this.failed += 1;
    if (isRefusal(outcome)) this.lastRefusal = outcome;
  }

  /** Queued frames are dropped; those at the port count as sent. */
  stop(): void {
    this.#stopListening();
    this.failed += this.#lane.discard();
    this.sent += this.#lane.pending;
    this.#lane.close();
  }

  #offer(record: DataView, at: number): void {
    const { id: wanted, mask, targetId } = this.#rule;
    const id = frm2Id(record, at);
    if ((id & mask) !== (wanted & mask)) return;
    if ((frm2Flags(record, at) & frameFlag.extended) !== this.#extended) return;
    this.matched += 1;
    const result = this.#lane.sendRecord(record, at, targetId ?? id);
    if (result === 'accepted') return;
    this.failed += 1;
    this.lastRefusal = result;
  }
}
