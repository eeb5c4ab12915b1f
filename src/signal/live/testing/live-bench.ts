import type { Message } from '../../../database/model.ts';
import {
  setFrm2EventId,
  setFrm2Status,
  setFrm2TimestampUs,
  writeFrm2,
} from '../../../frame/frm2-codec.ts';
import {
  busCode,
  eventKindCode,
  frameFlag,
  frm2,
  frm2SlotBytes,
} from '../../../frame/frm2-layout.ts';
import { LivePlan, type LivePlanOptions } from '../live-plan.ts';
import { PlanSet } from '../plan-set.ts';

/** Optional settings of a frame on the bench. */
export interface FrameOptions {
  readonly channel?: number;
  readonly id?: number;
  readonly flags?: number;
  readonly status?: number;
  readonly bus?: number;
  readonly kind?: number;
}

/** Time of the first frame; the others follow a millisecond apart. */
export const startUs = 1_700_000_000_000_000;

/** A set of plans, and frames for it. */
export class LiveBench {
  readonly set = new PlanSet();
  readonly #record = new DataView(new ArrayBuffer(2 * frm2SlotBytes));
  #events = 0;

  plan(message: Message, given: Partial<LivePlanOptions> = {}): LivePlan {
    const plan = new LivePlan({ planId: 'p1', channel: 0, message, history: 4, ...given });
    this.set.add(plan);
    return plan;
  }

  /** Offers a payload longer than a frame to the plans; returns whether one accepted it. */
  long(payload: readonly number[], id: number): boolean {
    const view = new DataView(new ArrayBuffer(frm2.payload + payload.length));
    const kind = eventKindCode.rx_frame;
    const { extended } = frameFlag;
    writeFrm2(view, 0, busCode.can, kind, 0, id, extended, 0, new Uint8Array(0), 0, 0);
    setFrm2EventId(view, 0, ++this.#events);
    new Uint8Array(view.buffer).set(payload, frm2.payload);
    return this.set.takeLong({ view, length: payload.length });
  }

  /** Offers a frame to the plans; returns whether one accepted it. */
  frame(data: ArrayLike<number>, given: FrameOptions = {}): boolean {
    const { channel = 0, id = 0x123, flags = 0, status = 0 } = given;
    const { bus = busCode.can, kind = eventKindCode.rx_frame } = given;
    const bytes = Uint8Array.from(data);
    const view = this.#record;
    // Not at the start, so that a missing offset is detected.
    const at = frm2SlotBytes;
    writeFrm2(view, at, bus, kind, channel, id, flags, bytes.length, bytes, 0, bytes.length);
    setFrm2Status(view, at, status);
    setFrm2TimestampUs(view, at, startUs + 1000 * this.#events);
    setFrm2EventId(view, at, ++this.#events);
    return this.set.take(view, at);
  }
}
