import { globalAddress, nullAddress, sourceOf } from '../../database/j1939.ts';
import { claimFrame, nameIn, requestedFrom } from './claim-frames.ts';
import { isArbitrary } from './name.ts';
import type { TransportFrame } from './transport-frames.ts';

export const claimUs = {
  /** From a claim until the address can be used. */
  veto: 250_000,
  /** Longest delay before a node reports that it cannot claim, so that several do not collide. */
  delay: 153_000,
} as const;

/** Addresses that nodes choose themselves. */
const dynamic = { first: 128, last: 247 } as const;

export const claimStates = ['claiming', 'claimed', 'cannot_claim'] as const;
export type ClaimState = (typeof claimStates)[number];

export interface AddressClaimOptions {
  readonly name: bigint;
  readonly address: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/**
 * Claims an address and defends it. The caller sends `frame` whenever there is one, and reports it
 * as sent.
 *
 *     state         input                               next state
 *     claiming      250 ms after the claim was sent     claimed
 *     claiming,     claim by a higher NAME              same, claims again
 *     claimed       claim by a lower NAME               claiming another address if the NAME
 *                                                       allows it, else cannot_claim
 *                   request for address claimed         same, claims again
 *     cannot_claim  delay over, at first and after      same, sends "cannot claim"
 *                   each request to all
 */
export class AddressClaim {
  readonly name: bigint;
  readonly preferred: number;
  state: ClaimState = 'claiming';
  /** The null address while none can be claimed. */
  address: number;
  frame: TransportFrame | null;
  /** Time of the next `expire`; Infinity if none. */
  deadlineUs = Number.POSITIVE_INFINITY;
  /** NAME to which the last address was lost. */
  lostTo: bigint | null = null;
  readonly #random: () => number;
  /** NAMEs of other nodes by their address. */
  readonly #others = new Map<number, bigint>();

  constructor({ name, address, random }: AddressClaimOptions) {
    this.name = name;
    this.preferred = address;
    this.address = address;
    this.frame = claimFrame(name, address);
    this.#random = random;
  }

  /** The bus was interrupted: what was claimed before no longer counts. */
  restart(): void {
    this.#others.clear();
    this.#claim(this.address === nullAddress ? this.preferred : this.address);
  }

  /** A frame was sent on the bus. It can be one that a later input replaced. */
  sent(frame: TransportFrame, atUs: number): void {
    if (frame !== this.frame) return;
    this.frame = null;
    if (this.state === 'claiming' && this.deadlineUs === Number.POSITIVE_INFINITY) {
      this.deadlineUs = atUs + claimUs.veto;
    }
  }

  /** A data frame with a 29-bit identifier, from another node. */
  received(id: number, bytes: Uint8Array, at: number, length: number, nowUs: number): void {
    const asked = requestedFrom(id, bytes, at, length);
    if (asked !== null) {
      if (asked === globalAddress || asked === this.address) this.#answer(nowUs);
      return;
    }
    const name = nameIn(id, bytes, at, length);
    // A claim by our own NAME is an echo.
    if (name === null || name === this.name) return;
    const address = sourceOf(id);
    for (const [known, other] of this.#others) if (other === name) this.#others.delete(known);
    if (address === nullAddress) return;
    this.#others.set(address, name);
    if (address !== this.address) return;
    if (this.name < name) this.frame = claimFrame(this.name, this.address);
    else this.#lose(name, nowUs);
  }

  /** The deadline has passed. */
  expire(nowUs: number): void {
    if (nowUs < this.deadlineUs) return;
    this.deadlineUs = Number.POSITIVE_INFINITY;
    if (this.state === 'cannot_claim') this.frame = claimFrame(this.name, nullAddress);
    // A defence that waits at the port starts the time again.
    else if (this.frame === null) this.state = 'claimed';
  }

  #answer(nowUs: number): void {
    if (this.state !== 'cannot_claim') this.frame = claimFrame(this.name, this.address);
    else if (this.deadlineUs === Number.POSITIVE_INFINITY) this.#delay(nowUs);
  }

  #lose(to: bigint, nowUs: number): void {
    this.lostTo = to;
    const next = isArbitrary(this.name) ? this.#freeAddress() : null;
    if (next !== null) {
      this.#claim(next);
      return;
    }
    this.state = 'cannot_claim';
    this.address = nullAddress;
    this.frame = null;
    this.#delay(nowUs);
  }

  #claim(address: number): void {
    this.state = 'claiming';
    this.address = address;
    this.frame = claimFrame(this.name, address);
    this.deadlineUs = Number.POSITIVE_INFINITY;
  }

  #delay(nowUs: number): void {
    this.deadlineUs = nowUs + Math.floor(this.#random() * claimUs.delay);
  }

  /** The next one after the lost address that no node has claimed. */
  #freeAddress(): number | null {
    const count = dynamic.last - dynamic.first + 1;
    const isDynamic = this.address >= dynamic.first && this.address <= dynamic.last;
    const from = isDynamic ? this.address - dynamic.first + 1 : 0;
    for (let step = 0; step < count; step++) {
      const address = dynamic.first + ((from + step) % count);
      if (!this.#others.has(address)) return address;
    }
    return null;
  }
}
