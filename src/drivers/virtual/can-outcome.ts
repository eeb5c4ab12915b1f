import { canErrorLocation } from '../../frame/can-error-frame.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { CanNode } from './can-node.ts';

/**
 * Arbitration field of a frame as one number. Of frames that start together, the lowest wins.
 * The bits are in wire order: eleven identifier bits; the remote bit, which is always recessive
 * in an extended frame; the IDE bit; then, in an extended frame, the other identifier bits and
 * its own remote bit.
 */
export const arbitrationKey = (id: number, flags: number): number => {
  const remote = (flags & frameFlag.remote) === 0 ? 0 : 1;
  if ((flags & frameFlag.extended) === 0) return ((id << 21) | (remote << 20)) >>> 0;
  const base = id >>> 18;
  const rest = id & 0x3ffff;
  return ((base << 21) | (0b11 << 19) | (rest << 1) | remote) >>> 0;
};

/** Nodes on a bus. A node that leaves leaves its index free. */
export type CanNodes = readonly (CanNode | undefined)[];

export type CanOutcome =
  | 'acknowledged'
  | 'unacknowledged'
  | 'destroyed'
  /** Destroyed by another node's error flag. */
  | 'disturbed';

export const errorLocation: Readonly<Record<CanOutcome, number>> = {
  acknowledged: canErrorLocation.unspecified,
  unacknowledged: canErrorLocation.acknowledgeSlot,
  destroyed: canErrorLocation.crcSequence,
  disturbed: canErrorLocation.reservedBit,
};

const silence = (nodes: CanNodes): void => {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (node) node.sends = false;
  }
};

/**
 * Marks receivers and senders, and returns the winner of arbitration. Equal frames are sent
 * together.
 */
export const arbitrate = (
  nodes: CanNodes,
  startUs: number,
  freeUs: number,
): CanNode | undefined => {
  let winner: CanNode | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!node) continue;
    node.hears = !node.isBusOff;
    node.sends = false;
    if (node.earliestStartUs(freeUs) > startUs) continue;
    const key = arbitrationKey(node.queue.headId, node.queue.headFlags);
    if (key > lowest) continue;
    if (key < lowest) {
      silence(nodes);
      winner = node;
      lowest = key;
    }
    node.sends = true;
  }
  return winner;
};

const sendSame = (one: CanNode, other: CanNode): boolean => {
  const a = one.queue;
  const b = other.queue;
  if (one.outgoingFlags !== other.outgoingFlags || a.headDlc !== b.headDlc) return false;
  if (!other.understands(one, one.outgoingFlags)) return false;
  for (let i = 0; i < a.headLength; i++) {
    if (a.data[a.headOffset + i] !== b.data[b.headOffset + i]) return false;
  }
  return true;
};

const takeBitError = (node: CanNode): boolean => {
  if (node.bitErrors === 0) return false;
  node.bitErrors -= 1;
  return true;
};

export const outcomeOf = (
  nodes: CanNodes,
  sender: CanNode,
  flags: number,
  selfAcknowledged: boolean,
): CanOutcome => {
  let acknowledged = selfAcknowledged;
  let disturbed = false;
  let destroyed = takeBitError(sender);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!node?.hears || node === sender) continue;
    if (node.sends) {
      // Equal senders acknowledge each other.
      if (takeBitError(node) || !sendSame(sender, node)) destroyed = true;
      else acknowledged = true;
    } else if (!node.listenOnly) {
      if (node.understands(sender, flags)) acknowledged = true;
      else if (!node.counters.isPassive) disturbed = true;
    }
  }
  if (disturbed) return 'disturbed';
  if (destroyed) return 'destroyed';
  return acknowledged ? 'acknowledged' : 'unacknowledged';
};
