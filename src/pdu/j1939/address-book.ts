import { nullAddress, sourceOf } from '../../database/j1939.ts';
import { claimUs } from './address-claim.ts';
import { nameIn } from './claim-frames.ts';

/** A node that has claimed an address, or tried to. */
export interface KnownNode {
  readonly channel: number;
  readonly name: bigint;
  /** Null if it lost its address, or cannot claim one. */
  readonly address: number | null;
  /** Of its last claim. */
  readonly timestampUs: number;
  readonly eventId: number;
}

interface Node {
  name: bigint;
  address: number | null;
  timestampUs: number;
  eventId: number;
}

/** NAMEs of a hostile bus must not fill the memory. */
const maxNodes = 512;

/**
 * Nodes of the channels, as their claims show them. A claim takes effect immediately for a lower NAME.
 * A higher NAME gets the address if the owner does not defend it within 250 ms.
 */
export class AddressBook {
  readonly #channels = new Map<number, Map<bigint, Node>>();

  /** A frame for which `isClaimId` is true. */
  take(
    channel: number,
    id: number,
    bytes: Uint8Array,
    at: number,
    length: number,
    timestampUs: number,
    eventId: number,
  ): void {
    const name = nameIn(id, bytes, at, length);
    if (name === null) return;
    const nodes = this.#channels.get(channel) ?? new Map<bigint, Node>();
    this.#channels.set(channel, nodes);
    const source = sourceOf(id);
    const address = source === nullAddress ? null : source;
    // The newest claims are last.
    nodes.delete(name);
    const node = { name, address, timestampUs, eventId };
    if (address !== null) {
      const holders = [...nodes.values()].filter((other) => other.address === address);
      settle(holders, timestampUs);
      for (const other of holders) if (other.name > name) other.address = null;
    }
    nodes.set(name, node);
    if (nodes.size > maxNodes) nodes.delete(nodes.keys().next().value as bigint);
  }

  /** Nodes by channel and address, then those without an address. */
  nodes(nowUs: number): KnownNode[] {
    const known: KnownNode[] = [];
    for (const [channel, nodes] of this.#channels) {
      const owners = ownersOf(nodes, nowUs);
      for (const node of nodes.values()) {
        const isOwner = node.address !== null && owners.get(node.address) === node;
        known.push({ channel, ...node, address: isOwner ? node.address : null });
      }
    }
    return known.sort(
      (one, other) =>
        one.channel - other.channel ||
        (one.address ?? nullAddress) - (other.address ?? nullAddress) ||
        (one.name < other.name ? -1 : 1),
    );
  }

  close(channel: number): void {
    this.#channels.delete(channel);
  }
}

/** Takes the address from nodes that did not defend it against the claim of a higher NAME. */
const settle = (holders: readonly Node[], nowUs: number): void => {
  for (const node of holders) {
    const isLost = holders.some(
      ({ name, timestampUs }) => name > node.name && nowUs - timestampUs > claimUs.veto,
    );
    if (isLost) node.address = null;
  }
};

const ownersOf = (nodes: ReadonlyMap<bigint, Node>, nowUs: number): Map<number, Node> => {
  const holders = new Map<number, Node[]>();
  for (const node of nodes.values()) {
    if (node.address === null) continue;
    holders.set(node.address, [...(holders.get(node.address) ?? []), node]);
  }
  const owners = new Map<number, Node>();
  for (const [address, own] of holders) {
    settle(own, nowUs);
    for (const node of own) {
      const other = owners.get(address);
      if (node.address !== null && (!other || node.name < other.name)) owners.set(address, node);
    }
  }
  return owners;
};
