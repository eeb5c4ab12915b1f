import type { Clock } from '../../base/clock/clock.ts';
import { txAction } from '../../bench/outbox/frame-store.ts';
import type { Lane } from '../../bench/outbox/lane.ts';
import type { LaneGate } from '../../bench/outbox/lane-gate.ts';
import type { PortControl } from '../../drivers/driver-channel.ts';
import { linHeaderUs, linMaxResponseUs, linMaxStretch, maxLinLength } from '../../frame/lin.ts';

/** Longest wake-up pulse of LIN 2.x. */
const pulseUs = 5000;

/**
 * The rest of a slot, after its frame and before the next slot. Frames of other senders start
 * only if they end in it at the latest.
 */
export class SlotGap implements LaneGate {
  readonly lane: Lane;
  opening = 0;
  endUs = Number.NEGATIVE_INFINITY;
  readonly #clock: Clock;
  readonly #hardware: PortControl;

  constructor(lane: Lane, hardware: PortControl, clock: Clock) {
    this.lane = lane;
    this.#hardware = hardware;
    this.#clock = clock;
  }

  open(endUs: number): void {
    this.endUs = endUs;
    this.opening += 1;
  }

  close(): void {
    this.endUs = Number.NEGATIVE_INFINITY;
  }

  get isOpen(): boolean {
    return this.endUs > this.#clock.monotonicUs();
  }

  admits(action: number, dlc: number): boolean {
    return this.#clock.monotonicUs() + this.#maxUs(action, dlc) <= this.endUs;
  }

  #maxUs(action: number, dlc: number): number {
    if (action === txAction.wakeUp) return pulseUs;
    const { bitrate } = this.#hardware.settings;
    const headerUs = linMaxStretch * linHeaderUs(bitrate);
    if (action === txAction.syncBreak) return headerUs;
    return headerUs + linMaxResponseUs(dlc || maxLinLength, bitrate);
  }
}
