import type { Channel } from '../../bench/channel.ts';
import type { NotTaken } from '../../drivers/can-offload.ts';
import type { CanChannel, SendResult } from '../../drivers/driver-channel.ts';
import { CanQueue, noRoom } from '../../frame/can-queue.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { RouteRule } from './route-request.ts';

/** Frames that may wait while the queue of the target is full. */
export const waitingCapacity = 64;

/**
 * A route on the bench thread: every frame is handed to the target while it is being received. One
 * that finds the queue of the target full waits for the next outcome there.
 */
export class SoftwareRoute {
  matched = 0;
  sent = 0;
  failed = 0;
  lastRefusal: NotTaken | undefined;
  readonly #rule: RouteRule;
  readonly #extended: number;
  readonly #target: CanChannel;
  readonly #waiting = new CanQueue(waitingCapacity);
  readonly #stopListening: (() => void)[];
  #handingOver = false;
  #isOver = false;

  constructor(
    source: Channel,
    { channel, hardware }: { readonly channel: Channel; readonly hardware: CanChannel },
    rule: RouteRule,
  ) {
    this.#rule = rule;
    this.#extended = rule.extended ? frameFlag.extended : 0;
    this.#target = hardware;
    this.#stopListening = [
      source.onFrame((id, flags, dlc, payload, offset, length) => {
        if (this.#isMeant(id, flags)) this.#pass(id, flags, dlc, payload, offset, length);
      }),
      channel.onOutcome(() => this.#handOver()),
    ];
  }

  /** What waits is given up. */
  stop(): void {
    this.#isOver = true;
    for (const stop of this.#stopListening) stop();
    this.failed += this.#waiting.clear();
  }

  #isMeant(id: number, flags: number): boolean {
    const { id: wanted, mask } = this.#rule;
    return (
      !this.#isOver &&
      (id & mask) === (wanted & mask) &&
      (flags & frameFlag.extended) === this.#extended
    );
  }

  #pass(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): void {
    this.matched += 1;
    // Through the buffer, because handing over may bring in another frame, which must not overtake.
    const sentId = this.#rule.targetId ?? id;
    if (this.#waiting.push(sentId, flags, dlc, data, offset, length) !== noRoom) this.#handOver();
    else this.#count('full');
  }

  #handOver(): void {
    if (this.#handingOver) return;
    this.#handingOver = true;
    const waiting = this.#waiting;
    try {
      while (waiting.size > 0) {
        const { headId, headFlags, headDlc, data, headOffset, headLength } = waiting;
        const result = this.#target.send(headId, headFlags, headDlc, data, headOffset, headLength);
        if (result === 'full' || this.#isOver) return;
        waiting.pop();
        this.#count(result);
      }
    } finally {
      this.#handingOver = false;
    }
  }

  #count(result: SendResult): void {
    if (result === 'accepted') {
      this.sent += 1;
    } else {
      this.failed += 1;
      this.lastRefusal = result;
    }
  }
}
