import { frameFlag } from '../../frame/frm2-layout.ts';
import {
  isSleepFrame,
  linChecksum,
  linHeaderBits,
  linHeaderUs,
  linMaxResponseUs,
  linResponseUs,
} from '../../frame/lin.ts';
import type { LinReadOutcome } from '../driver-channel.ts';
import { eventStatus } from '../event-status.ts';
import { linAction } from '../lin/lin-tx-queue.ts';
import { type LinNode, LinWireFrame } from './lin-node.ts';
import type { Segment } from './segment.ts';

type LinNodes = readonly (LinNode | undefined)[];

const fits = (wire: LinWireFrame, enhanced: boolean): boolean =>
  linChecksum(enhanced, wire.id, wire.data, 0, wire.length) === wire.checksum;

const commandsSleep = (wire: LinWireFrame): boolean =>
  wire.publishers > 0 &&
  !wire.collided &&
  isSleepFrame(wire.id, wire.data, 0, wire.length) &&
  fits(wire, false);

const outcomeFor = (owner: LinNode, wire: LinWireFrame): LinReadOutcome => {
  if (wire.publishers === 0) return 'no_response';
  if (wire.collided) return 'collision';
  if (owner.publishes) return 'answered';
  const { headIsEnhanced, headLength } = owner.queue;
  const asExpected = headLength === 0 || headLength === wire.length;
  return asExpected && fits(wire, headIsEnhanced) ? 'answered' : 'checksum_error';
};

const deliverResponse = (
  nodes: LinNodes,
  owner: LinNode,
  wire: LinWireFrame,
  atUs: number,
): void => {
  const { headLength: asked, headIsEnhanced } = owner.queue;
  const outcome = outcomeFor(owner, wire);
  const sleepFlag = commandsSleep(wire) ? frameFlag.sleep : 0;
  const isWrite = owner.queue.headAction === linAction.write;
  // Removed after its outcome was reported, because a report may take the owner off the bus.
  let isOpen = true;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!node?.hears) continue;
    if (!node.follows) {
      node.notice(0, frameFlag.error, 0, eventStatus.sync_error, atUs);
    } else if (wire.publishers === 0) {
      node.notice(wire.id, frameFlag.noResponse, asked, eventStatus.no_response, atUs);
    } else if (wire.collided) {
      node.notice(wire.id, frameFlag.error, wire.length, eventStatus.collision, atUs);
    } else if (node.publishes) {
      const wasQueued = node === owner && isWrite;
      if (wasQueued) owner.queue.take();
      isOpen &&= !wasQueued;
      node.complete(wire, sleepFlag, wasQueued, atUs);
    } else if (node === owner) {
      node.receive(wire, headIsEnhanced, outcome === 'answered', sleepFlag, atUs);
    } else {
      const enhanced = node.expectsEnhanced(wire.id);
      node.receive(wire, enhanced, fits(wire, enhanced), sleepFlag, atUs);
    }
  }
  if (!isOpen || !owner.hears) return;
  const done = owner.queue.take();
  if (done) owner.endRead(done, outcome, wire, atUs);
  else owner.fail(done, outcome, atUs);
};

const deliverSignal = (nodes: LinNodes, owner: LinNode, flag: number, atUs: number): void => {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!node?.hears) continue;
    if (node !== owner) {
      node.notice(0, flag, 0, eventStatus.ok, atUs);
      continue;
    }
    owner.queue.take();
    owner.completeSignal(flag, atUs);
  }
};

const deliverCollision = (
  nodes: LinNodes,
  owner: LinNode,
  intruder: LinNode,
  atUs: number,
): void => {
  const id = owner.queue.headId;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (node?.hears) node.notice(id, frameFlag.error, 0, eventStatus.collision, atUs);
  }
  if (owner.hears) owner.fail(owner.queue.take(), 'collision', atUs);
  if (intruder.hears) intruder.fail(intruder.queue.take(), 'collision', atUs);
};

/** Break, delimiter and sync field. */
const syncBreakBits = linHeaderBits - 10;
/** Within LIN 2.x's 250 µs to 5 ms. */
const wakeUpPulseUs = 1000;

type Phase =
  | 'free'
  /** A header, followed by a response. */
  | 'header'
  | 'response'
  | 'signal'
  /** Two headers at the same time. */
  | 'collision';

/**
 * A LIN bus and its nodes. Like a CAN bus it advances only to a requested time. Headers and
 * responses take their nominal times, without space between bytes. Two masters on a bus collide
 * as soon as both have a frame to send.
 */
export class LinBus implements Segment {
  readonly #nodes: (LinNode | undefined)[] = [];
  readonly #wire = new LinWireFrame();
  #advancing = false;
  #phase: Phase = 'free';
  #owner: LinNode | undefined;
  #intruder: LinNode | undefined;
  #startUs = 0;
  #endUs = 0;
  #freeUs = Number.NEGATIVE_INFINITY;
  #asleep = false;
  #reachedUs = Number.NEGATIVE_INFINITY;

  join(node: LinNode): void {
    const gap = this.#nodes.indexOf(undefined);
    this.#nodes[gap < 0 ? this.#nodes.length : gap] = node;
  }

  leave(node: LinNode, nowUs: number): void {
    const place = this.#nodes.indexOf(node);
    if (place < 0) return;
    this.#nodes[place] = undefined;
    node.hears = false;
    node.publishes = false;
    if (node !== this.#owner && node !== this.#intruder) return;
    this.#phase = 'free';
    this.#owner = undefined;
    this.#intruder = undefined;
    this.#freeUs = Math.min(this.#freeUs, nowUs);
  }

  advance(nowUs: number): void {
    if (this.#advancing) return;
    this.#advancing = true;
    try {
      while (this.#step(nowUs));
    } finally {
      this.#advancing = false;
    }
  }

  get reportingUs(): number | undefined {
    return this.#advancing ? this.#reachedUs : undefined;
  }

  get nextDeadlineUs(): number {
    if (this.#phase !== 'free') return this.#endUs;
    const next = this.#firstToStart();
    if (!next) return Number.POSITIVE_INFINITY;
    return next.earliestStartUs(this.#freeUs) + leadUs(next);
  }

  #step(nowUs: number): boolean {
    if (this.#phase === 'free') {
      const next = this.#firstToStart();
      const startUs = next?.earliestStartUs(this.#freeUs) ?? Number.POSITIVE_INFINITY;
      if (!next || startUs >= nowUs) return false;
      this.#begin(next, startUs);
      return true;
    }
    const intruder = this.#phase === 'collision' ? undefined : this.#intruderBefore(nowUs);
    if (intruder) {
      this.#collide(intruder, intruder.earliestStartUs(this.#startUs));
      return true;
    }
    if (this.#endUs > nowUs) return false;
    this.#endPhase();
    return true;
  }

  #firstToStart(): LinNode | undefined {
    let first: LinNode | undefined;
    let firstUs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node || node.queue.size === 0) continue;
      const startUs = node.earliestStartUs(this.#freeUs);
      if (startUs > firstUs) continue;
      if (startUs === firstUs && first && first.queue.headQueuedUs <= node.queue.headQueuedUs) {
        continue;
      }
      first = node;
      firstUs = startUs;
    }
    return first;
  }

  /** A master that starts during another master's header. Pulses are not interrupted. */
  #intruderBefore(nowUs: number): LinNode | undefined {
    if (this.#owner?.queue.headAction === linAction.wakeUp) return undefined;
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node?.hears || node === this.#owner || node.queue.size === 0) continue;
      if (node.queue.headAction === linAction.wakeUp) continue;
      const startUs = node.earliestStartUs(this.#startUs);
      if (startUs < nowUs && startUs < this.#endUs) return node;
    }
    return undefined;
  }

  #begin(owner: LinNode, startUs: number): void {
    this.#reachedUs = startUs;
    this.#owner = owner;
    this.#startUs = startUs;
    this.#endUs = startUs + leadUs(owner);
    this.#freeUs = this.#endUs;
    this.#phase = isAnswered(owner) ? 'header' : 'signal';
    const wakes = this.#asleep && owner.queue.headAction !== linAction.wakeUp;
    this.#asleep = false;
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node) continue;
      node.hears = node.powered;
      node.follows = node.canFollow(owner.bitrate);
      node.publishes = false;
      if (wakes && node.hears && node !== owner) {
        node.notice(0, frameFlag.wakeUp, 0, eventStatus.ok, startUs);
      }
    }
  }

  #endPhase(): void {
    const owner = this.#owner;
    if (!owner) return;
    this.#reachedUs = this.#endUs;
    if (this.#phase === 'header') {
      this.#startResponse(owner);
      return;
    }
    const atUs = this.#endUs;
    const intruder = this.#intruder;
    owner.readyUs = this.#freeUs;
    if (intruder) intruder.readyUs = this.#freeUs;
    this.#phase = 'free';
    this.#owner = undefined;
    this.#intruder = undefined;
    this.#countBusy();
    if (intruder) {
      deliverCollision(this.#nodes, owner, intruder, atUs);
    } else if (isAnswered(owner)) {
      this.#asleep = commandsSleep(this.#wire);
      deliverResponse(this.#nodes, owner, this.#wire, atUs);
    } else {
      deliverSignal(this.#nodes, owner, signalFlag(owner), atUs);
    }
  }

  #startResponse(owner: LinNode): void {
    const headerEndUs = this.#endUs;
    const { queue } = owner;
    const wire = this.#wire;
    wire.clear(queue.headId);
    let delayUs = 0;
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (!node?.hears || !node.follows || node.listenOnly) continue;
      node.answer(wire, node === owner && queue.headAction === linAction.write);
      if (node.publishes) delayUs = Math.max(delayUs, node.takeDelayUs());
    }
    const expected = Math.max(queue.headLength, wire.length) || owner.assumedLength(wire.id);
    const limitUs = headerEndUs + linMaxResponseUs(expected, owner.bitrate);
    this.#phase = 'response';
    this.#endUs = limitUs;
    this.#freeUs = limitUs;
    if (wire.publishers === 0) return;
    const answeredUs = headerEndUs + delayUs + linResponseUs(wire.length, owner.bitrate);
    this.#freeUs = answeredUs;
    if (answeredUs <= limitUs) this.#endUs = answeredUs;
    // Too late: all nodes have timed out.
    else wire.clear(wire.id);
  }

  #collide(intruder: LinNode, atUs: number): void {
    this.#intruder = intruder;
    this.#phase = 'collision';
    this.#endUs = atUs + linHeaderUs(intruder.bitrate);
    this.#freeUs = this.#endUs;
  }

  #countBusy(): void {
    const busyUs = this.#freeUs - this.#startUs;
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i];
      if (node?.hears) node.reporter.busyUs += busyUs;
    }
  }
}

const signalFlag = (owner: LinNode): number =>
  owner.queue.headAction === linAction.wakeUp ? frameFlag.wakeUp : frameFlag.syncBreak;

const isAnswered = (owner: LinNode): boolean => {
  const { headAction } = owner.queue;
  return headAction === linAction.write || headAction === linAction.read;
};

const leadUs = (node: LinNode): number => {
  switch (node.queue.headAction) {
    case linAction.wakeUp:
      return wakeUpPulseUs;
    case linAction.syncBreak:
      return (syncBreakBits * 1e6) / node.bitrate;
    default:
      return linHeaderUs(node.bitrate);
  }
};
