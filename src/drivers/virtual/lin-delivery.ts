import { frameFlag } from '../../frame/frm2-layout.ts';
import { isSleepFrame, linChecksum } from '../../frame/lin.ts';
import type { LinReadOutcome } from '../driver-channel.ts';
import { eventStatus } from '../event-status.ts';
import { linAction } from '../lin/lin-tx-queue.ts';
import type { LinNode } from './lin-node.ts';
import type { LinWireFrame } from './lin-wire-frame.ts';

/** Nodes on a bus; one that leaves makes a gap, so that the places of the others stay. */
export type LinNodes = readonly (LinNode | undefined)[];

/** Whether the checksum on the wire is right by that model. */
const fits = (wire: LinWireFrame, enhanced: boolean): boolean =>
  linChecksum(enhanced, wire.id, wire.data, 0, wire.length) === wire.checksum;

/** Whether this response sends the bus to sleep. */
export const commandsSleep = (wire: LinWireFrame): boolean =>
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

/** Tells every node what it saw of a header and its response, and the owner what became of it. */
export const deliverResponse = (
  nodes: LinNodes,
  owner: LinNode,
  wire: LinWireFrame,
  atUs: number,
): void => {
  const { headLength: asked, headIsEnhanced } = owner.queue;
  const outcome = outcomeFor(owner, wire);
  const sleepFlag = commandsSleep(wire) ? frameFlag.sleep : 0;
  const isWrite = owner.queue.headAction === linAction.write;
  // Taken out of the queue once its outcome is told: a report before that may take the owner off the
  // bus, which ends everything in the queue.
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

/** Tells every node of a sync break or a wake-up pulse. */
export const deliverSignal = (
  nodes: LinNodes,
  owner: LinNode,
  flag: number,
  atUs: number,
): void => {
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

/** Tells every node that two masters spoke at once, and both that their frames are gone. */
export const deliverCollision = (
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
