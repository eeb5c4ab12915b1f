import type { Channel } from '../../bench/channel.ts';
import type { FoundChannel } from '../../bench/channel-table.ts';
import { isRefusal, type Lane, type LaneOwner, type TxOutcome } from '../../bench/outbox/lane.ts';
import type { OffloadedRoute } from '../../drivers/can-offload.ts';
import type { CanControl } from '../../drivers/driver-channel.ts';
import type { RefusedSend } from '../../drivers/send-result.ts';
import { frm2Flags, frm2Id } from '../../frame/frm2-codec.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { lastErrorOf } from '../last-error.ts';
import { selectedChannel } from '../selected-channel.ts';
import type { RouteRecord } from './route-record.ts';
import type { RouteRule } from './route-request.ts';

/** Frames in flight: at the port and queued. */
export const waitingCapacity = 64;

class SoftwareRoute implements LaneOwner {
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

interface RouteWork {
  readonly matched: number;
  readonly sent: number;
  readonly failed: number;
  readonly lastRefusal: RefusedSend | undefined;
  stop(): void;
}

export interface RouteEnd {
  readonly found: FoundChannel;
  readonly channel: Channel;
  readonly hardware: CanControl;
}

export interface RouteParts {
  readonly id: string;
  readonly source: RouteEnd;
  readonly target: RouteEnd;
  readonly rule: RouteRule;
  readonly createdAtUs: number;
}

export class Route {
  readonly id: string;
  readonly #parts: RouteParts;
  readonly #work: RouteWork;
  readonly #isOffloaded: boolean;
  readonly #stopListening: (() => void)[];

  constructor(
    parts: RouteParts,
    offloaded: OffloadedRoute | undefined,
    onClosed: (route: Route) => void,
  ) {
    const { id, source, target, rule } = parts;
    this.id = id;
    this.#parts = parts;
    this.#isOffloaded = offloaded !== undefined;
    this.#work = offloaded ?? new SoftwareRoute(source.channel, target.channel, rule);
    this.#stopListening = [source, target].map(({ channel }) =>
      channel.onInterrupted((why) => {
        if (why === 'closed') onClosed(this);
      }),
    );
  }

  stop(): void {
    for (const stop of this.#stopListening) stop();
    this.#work.stop();
  }

  record(): RouteRecord {
    const { id, source, target, rule, createdAtUs } = this.#parts;
    const { matched, sent, failed, lastRefusal } = this.#work;
    return {
      route_id: id,
      source: {
        ...selectedChannel(source.found),
        id: rule.id,
        mask: rule.mask,
        extended: rule.extended,
      },
      target: {
        ...selectedChannel(target.found),
        id: rule.targetId ?? null,
        extended: rule.extended,
      },
      offloaded: this.#isOffloaded,
      matched,
      sent,
      failed,
      last_error: lastErrorOf(lastRefusal),
      created_at_us: createdAtUs,
    };
  }
}
