import { canErrorLocation, canProtocolError } from '../../frame/can-error-frame.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import {
  failToReceive,
  failToTransmit,
  missAcknowledge,
  repeatsMissedAcknowledge,
  reportRecovery,
  restart,
} from './can-error-reports.ts';
import type { CanNode } from './can-node.ts';
import { arbitrate, type CanOutcome, errorLocation, outcomeOf } from './can-outcome.ts';
import { CanWireFrame } from './can-wire-frame.ts';
import type { Segment } from './segment.ts';

const interframeBits = 3;
/** ACK delimiter, end of frame, interframe space. */
const afterAcknowledgeBits = 1 + 7 + interframeBits;
const afterCrcBits = 1 + afterAcknowledgeBits;
/** Start bit up to the FD bit. */
const standardHeaderBits = 15;
const extendedHeaderBits = 34;
/** Flag, delimiter and interframe space of an error frame. */
const loneErrorBits = 6 + 8 + interframeBits;
/** Includes error flags of other nodes. */
const sharedErrorBits = 6 + loneErrorBits;
/** Suspend transmission of an error-passive node. */
const suspendBits = 8;
const recoveryBits = 128 * 11;

/**
 * A CAN bus and its controllers. It advances only to a requested time and processes every event
 * at its exact time. Receivers and sender report a frame at the same time: at its end, before
 * the interframe space.
 */
export class CanBus implements Segment {
  readonly #nodes: (CanNode | undefined)[] = [];
  readonly #loopback: boolean;
  readonly #wire = new CanWireFrame();
  #advancing = false;
  #sender: CanNode | undefined;
  #passive = false;
  #outcome: CanOutcome = 'acknowledged';
  #startUs = 0;
  #endUs = 0;
  #freeUs = Number.NEGATIVE_INFINITY;
  #reachedUs = Number.NEGATIVE_INFINITY;
  #unnoticed = false;

  constructor({ loopback = false } = {}) {
    this.#loopback = loopback;
  }

  join(node: CanNode): void {
    const gap = this.#nodes.indexOf(undefined);
    this.#nodes[gap < 0 ? this.#nodes.length : gap] = node;
    this.#unnoticed = false;
  }

  /** A frame being sent is aborted. No node receives it. */
  leave(node: CanNode, nowUs: number): void {
    const place = this.#nodes.indexOf(node);
    if (place < 0) return;
    this.#nodes[place] = undefined;
    if (this.#sender && node.sends) {
      this.#sender = undefined;
      this.#freeUs = Math.min(this.#freeUs, nowUs);
    }
    node.hears = false;
    node.sends = false;
  }

  recover(node: CanNode, nowUs: number): void {
    if (!node.isBusOff || node.recoveredUs !== Number.POSITIVE_INFINITY) return;
    node.recoveredUs = nowUs + recoveryBits * node.bitUs;
  }

  advance(nowUs: number): void {
    // A listener must not advance the bus during a report.
    if (this.#advancing) return;
    this.#advancing = true;
    try {
      while (this.#step(nowUs));
      this.#reach(nowUs);
    } finally {
      this.#advancing = false;
    }
  }

  /** Advances to a time and returns the bus time. */
  comeTo(atUs: number): number {
    this.advance(atUs);
    return Math.max(atUs, this.#reachedUs);
  }

  get reportingUs(): number | undefined {
    return this.#advancing ? this.#reachedUs : undefined;
  }

  get nextDeadlineUs(): number {
    let nextUs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node) continue;
      nextUs = Math.min(nextUs, node.recoveredUs, node.reporter.repeatsDueUs);
      if (this.#sender && node.sends) continue;
      nextUs = Math.min(nextUs, node.queue.headDeadlineUs);
      if (this.#sender) continue;
      // The same sum as for the frame, to avoid rounding differences.
      const queuedUs = node.earliestStartUs(this.#freeUs) + node.queue.headUs;
      const wholeUs = Math.min(queuedUs, node.jobWholeUs(this.#freeUs));
      const endUs = wholeUs - interframeBits * node.bitUs;
      const quietUs = this.#triesInVain(node) ? node.reporter.nextReportUs : 0;
      nextUs = Math.min(nextUs, Math.max(endUs, quietUs));
    }
    if (!this.#sender) return nextUs;
    const { reporter, queue } = this.#sender;
    const reportUs = this.#unnoticed ? Math.min(reporter.nextReportUs, queue.headDeadlineUs) : 0;
    return Math.min(nextUs, Math.max(this.#endUs, reportUs));
  }

  #step(nowUs: number): boolean {
    const nextUs = this.#sender ? this.#endUs : this.#nextStartUs();
    const untilUs = Math.min(nextUs, nowUs);
    if (this.#hasPendingWork(untilUs) && this.#runPendingWork(untilUs)) return true;
    if (this.#sender) {
      if (nextUs > nowUs) return false;
      this.#finish(this.#sender);
      return true;
    }
    // A frame queued now may still take part in arbitration.
    if (nextUs >= nowUs) return false;
    this.#begin(nextUs, nowUs);
    return true;
  }

  #hasPendingWork(untilUs: number): boolean {
    for (let i = 0; i < this.#nodes.length; i++) {
      if (this.#nodes[i]?.hasPendingWork(untilUs)) return true;
    }
    return false;
  }

  #runPendingWork(untilUs: number): boolean {
    if (this.#reportRepeats(untilUs) || this.#expire(untilUs)) return true;
    const recovered = this.#nextRecovered(untilUs);
    const quietUs = recovered ? recovered.recoveredUs : untilUs;
    if (this.#runJob(quietUs)) return true;
    if (!recovered) return false;
    this.#reach(quietUs);
    restart(recovered, quietUs);
    return true;
  }

  #runJob(untilUs: number): boolean {
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node || node.jobs.dueUs > untilUs) continue;
      node.runJob(untilUs);
      return true;
    }
    return false;
  }

  #reportRepeats(untilUs: number): boolean {
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node || node.reporter.repeatsDueUs > untilUs) continue;
      this.#reach(node.reporter.repeatsDueUs);
      node.reporter.flushDueRepeats();
      return true;
    }
    return false;
  }

  #expire(untilUs: number): boolean {
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node || (this.#sender && node.sends)) continue;
      const { headDeadlineUs } = node.queue;
      if (headDeadlineUs > untilUs) continue;
      this.#reach(headDeadlineUs);
      node.failFirst(this.#reachedUs);
      return true;
    }
    return false;
  }

  #reach(atUs: number): void {
    if (atUs > this.#reachedUs) this.#reachedUs = atUs;
  }

  #nextRecovered(untilUs: number): CanNode | undefined {
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (node && node.recoveredUs <= untilUs) return node;
    }
    return undefined;
  }

  #nextStartUs(): number {
    let startUs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (node) startUs = Math.min(startUs, node.earliestStartUs(this.#freeUs));
    }
    return startUs;
  }

  #begin(startUs: number, nowUs: number): void {
    const sender = arbitrate(this.#nodes, startUs, this.#freeUs);
    if (!sender) return;
    const flags = sender.outgoingFlags;
    this.#sender = sender;
    this.#passive = sender.counters.isPassive;
    this.#wire.load(sender.queue, flags);
    this.#outcome = outcomeOf(this.#nodes, sender, flags, this.#loopback);
    this.#startUs = startUs;
    this.#unnoticed = false;
    this.#setTimes(sender, flags);
    if (this.#outcome === 'unacknowledged') this.#skipRetries(sender, nowUs);
  }

  #setTimes(sender: CanNode, flags: number): void {
    const { bitUs } = sender;
    const wholeUs = this.#startUs + sender.outgoingUs(flags);
    switch (this.#outcome) {
      case 'acknowledged':
        this.#endUs = wholeUs - interframeBits * bitUs;
        this.#freeUs = wholeUs;
        return;
      case 'unacknowledged':
        this.#endUs = wholeUs - afterAcknowledgeBits * bitUs;
        this.#freeUs = this.#endUs + loneErrorBits * bitUs;
        return;
      case 'destroyed':
        this.#endUs = wholeUs - afterCrcBits * bitUs;
        break;
      case 'disturbed': {
        const extended = (flags & frameFlag.extended) !== 0;
        this.#endUs = this.#startUs + (extended ? extendedHeaderBits : standardHeaderBits) * bitUs;
      }
    }
    this.#freeUs = this.#endUs + sharedErrorBits * bitUs;
  }

  /**
   * A lone error-passive node repeats the same attempt, so attempts are counted instead of
   * simulated.
   */
  #skipRetries(sender: CanNode, nowUs: number): void {
    if (!this.#passive || !this.#triesInVain(sender)) return;
    this.#unnoticed = true;
    const busyUs = this.#freeUs - this.#startUs;
    const periodUs = busyUs + suspendBits * sender.bitUs;
    const { reporter } = sender;
    const untilUs = Math.min(nowUs, reporter.nextReportUs, sender.queue.headDeadlineUs);
    const skipped = Math.floor((untilUs - this.#startUs) / periodUs);
    if (skipped <= 0) return;
    reporter.repeatError(skipped, this.#endUs + (skipped - 1) * periodUs);
    reporter.busyUs += skipped * busyUs;
    this.#startUs += skipped * periodUs;
    this.#endUs += skipped * periodUs;
    this.#freeUs += skipped * periodUs;
  }

  #triesInVain(node: CanNode): boolean {
    if (this.#loopback || !node.counters.isPassive || node.bitErrors > 0) return false;
    return repeatsMissedAcknowledge(node) && this.#isAlone(node);
  }

  #isAlone(sender: CanNode): boolean {
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (node && node !== sender) return false;
    }
    return true;
  }

  #finish(sender: CanNode): void {
    const atUs = this.#endUs;
    const busyUs = this.#freeUs - this.#startUs;
    this.#sender = undefined;
    this.#reach(atUs);
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node?.hears) continue;
      node.reporter.busyUs += busyUs;
      // First, because the queue contains only frames without an outcome.
      if (node.sends && this.#outcome === 'acknowledged') node.queue.pop();
    }
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (node?.sends) this.#endSending(node, atUs);
    }
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (node?.hears && (!node.sends || this.#loopback)) this.#endReceiving(node, sender, atUs);
    }
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node?.sends || !node.counters.isPassive) continue;
      node.readyUs = this.#freeUs + suspendBits * node.bitUs;
    }
  }

  #endSending(node: CanNode, atUs: number): void {
    if (this.#outcome === 'acknowledged') {
      node.counters.transmitted();
      node.complete(this.#wire, atUs);
      reportRecovery(node, atUs);
    } else if (this.#outcome === 'unacknowledged') {
      missAcknowledge(node, atUs);
    } else {
      failToTransmit(node, errorLocation[this.#outcome], atUs);
    }
  }

  #endReceiving(node: CanNode, sender: CanNode, atUs: number): void {
    const outcome = this.#outcome;
    if (!node.understands(sender, this.#wire.flags)) {
      failToReceive(node, canProtocolError.form, canErrorLocation.reservedBit, atUs);
    } else if (outcome === 'acknowledged' || (outcome === 'unacknowledged' && this.#passive)) {
      // A passive error flag is recessive: listeners see a valid frame.
      if (!this.#loopback) node.counters.received();
      node.receive(this.#wire, atUs);
      reportRecovery(node, atUs);
    } else {
      failToReceive(node, canProtocolError.stuff, errorLocation[outcome], atUs);
    }
  }
}
