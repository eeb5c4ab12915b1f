import {
  destinationOf,
  globalAddress,
  idOfGroup,
  nullAddress,
  pgnOf,
  sourceOf,
} from '../../database/j1939.ts';
import { bytesOfName, nameAt, nameBytes } from './name.ts';
import { type TransportFrame, uint24At } from './transport-frames.ts';

const pgn = { request: 0xea00, claimed: 0xee00 } as const;
const priority = 6;

/** Address claimed; from the null address it means that the node cannot claim one. */
export const claimFrame = (name: bigint, address: number): TransportFrame => ({
  id: idOfGroup(priority, pgn.claimed, globalAddress, address),
  data: bytesOfName(name),
});

const claimBits = (pgn.claimed << 8) | (globalAddress << 8);

export const isClaimId = (id: number): boolean => (id & 0x03ff_ff00) === claimBits;

/** Whether a frame with this 29-bit identifier can concern claims. */
export const concernsClaims = (id: number): boolean => {
  const group = pgnOf(id);
  return group === pgn.claimed || group === pgn.request;
};

/** NAME in a claim; null if the frame is no valid claim. */
export const nameIn = (
  id: number,
  bytes: Uint8Array,
  at: number,
  length: number,
): bigint | null => {
  if (!isClaimId(id) || length !== nameBytes || sourceOf(id) > nullAddress) return null;
  const name = nameAt(bytes, at);
  return name === 0n ? null : name;
};

/** Address whose claim a frame requests; 255 is all, null if it requests something else. */
export const requestedFrom = (
  id: number,
  bytes: Uint8Array,
  at: number,
  length: number,
): number | null => {
  if (pgnOf(id) !== pgn.request || length < 3) return null;
  return uint24At(bytes, at) === pgn.claimed ? destinationOf(id) : null;
};
