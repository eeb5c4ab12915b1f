import { frameFlag } from '../../frame/frm2-layout.ts';
import { isSleepFrame, linChecksum } from '../../frame/lin.ts';
import type { LinReadOutcome } from '../driver-channel.ts';
import { eventStatus } from '../event-status.ts';
import type { LinNode } from './lin-node.ts';
import type { LinWireFrame } from './lin-wire-frame.ts';

/** Nodes on a bus; whoever leaves makes a gap, so that the places of the others stay. */
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
  // Before anyone hears of it: what is in a queue must be what has no outcome yet.
  const done = owner.queue.take();
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
      node.complete(wire, sleepFlag, node === owner && done === undefined, atUs);
    } else if (node === owner) {
      node.receive(wire, headIsEnhanced, outcome === 'answered', sleepFlag, atUs);
    } else {
      const enhanced = node.expectsEnhanced(wire.id);
      node.receive(wire, enhanced, fits(wire, enhanced), sleepFlag, atUs);
    }
  }
  if (done) {
    owner.endRead(done, outcome, wire, atUs);
  } else if (outcome !== 'answered' && owner.hears) {
    owner.fail(done, outcome, atUs);
  }
};

/** Tells every node of a sync break or a wake-up pulse. */
export const deliverSignal = (
  nodes: LinNodes,
  owner: LinNode,
  flag: number,
  atUs: number,
): void => {
  owner.queue.take();
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!node?.hears) continue;
    if (node === owner) node.completeSignal(flag, atUs);
    else node.notice(0, flag, 0, eventStatus.ok, atUs);
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
  const ownerDone = owner.queue.take();
  const intruderDone = intruder.queue.take();
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (node?.hears) node.notice(id, frameFlag.error, 0, eventStatus.collision, atUs);
  }
  if (ownerDone || owner.hears) owner.fail(ownerDone, 'collision', atUs);
  if (intruderDone || intruder.hears) intruder.fail(intruderDone, 'collision', atUs);
};
