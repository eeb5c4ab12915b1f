import type { IsotpAddress, IsotpPair } from './addressing.ts';
import { type IdMarks, isWide, plainId, wideId } from './heard-frame.ts';

/** Address of frames in one direction. One object serves all frames. */
export class KnownAddress {
  key = 0;
  /** Address whose messages its flow control is for; -1 if unknown or none. */
  partnerKey = -1;
  addressBytes: 0 | 1 = 0;
  /** -1 without an address byte. */
  address = -1;
  isFunctional = false;
  isLearned = false;
}

const keyStep = 2 ** 30;

/** `address` is -1 without an address byte. */
export const addressKey = (wide: number, address: number): number => (address + 1) * keyStep + wide;

const wideOf = (key: number): number => key % keyStep;
const hasByte = (key: number): boolean => key >= keyStep;

/** Learned addresses of a channel; the oldest is forgotten for another one. */
const maxLearned = 1024;

const legislated = { functional: 0x7df, first: 0x7e0, last: 0x7ef, responseBit: 8 } as const;

/** Diagnostic frames of LIN: requests of the master and responses of a slave (ISO 17987-2). */
const linId = { request: 0x3c, response: 0x3d } as const;

/** PGN bits, without priority: fixed addressing is the same with any. */
const groupBits = 0x03ff_0000;
const fixedGroup = {
  normal: 0x00da_0000,
  normalFunctional: 0x00db_0000,
  mixed: 0x00ce_0000,
  mixedFunctional: 0x00cd_0000,
} as const;

/** What a 29-bit identifier says by its PDU format and data page. */
export const idFormat = {
  any: 0,
  /** ISO-TP by the fixed rules. */
  isotp: 1,
  /** A J1939 parameter group without destination (PDU2). */
  broadcast: 2,
} as const;

const firstPdu2 = 0xf0;
const formats = new Uint8Array(0x400).fill(idFormat.broadcast, firstPdu2, 0x100);
for (const group of Object.values(fixedGroup)) formats[group >>> 16] = idFormat.isotp;

export const formatOf = (id: number): number => formats[(id >>> 16) & 0x3ff] as number;

/** Identifiers of 11 bits that have ISO-TP by rule, and those of LIN. */
export const markByRule = (marks: IdMarks): void => {
  marks.add(linId.request, false);
  marks.add(linId.response, false);
  marks.add(legislated.functional, false);
  for (let id: number = legislated.first; id <= legislated.last; id++) marks.add(id, false);
};

const swapped = (id: number): number => (id & groupBits) | ((id & 0xff) << 8) | ((id >>> 8) & 0xff);

interface KnownEnd {
  readonly key: number;
  partnerKey: number;
  readonly isFunctional: boolean;
}

/**
 * Addresses of one channel that are known to carry ISO-TP: of the bench's ECUs, learned, and
 * by rule, in this order.
 */
export class KnownAddresses {
  readonly #marks: IdMarks;
  readonly #given = new Map<number, KnownEnd>();
  readonly #learned = new Map<number, KnownEnd>();
  /** Identifiers of the bench, to which no rule applies. */
  readonly #givenIds = new Set<number>();
  /** Identifiers with address bytes, and how many. */
  readonly #withBytes = new Map<number, number>();

  constructor(marks: IdMarks) {
    this.#marks = marks;
  }

  /** Finds the address of a frame that begins with a byte. */
  resolve(into: KnownAddress, id: number, extended: boolean, first: number): boolean {
    const wide = wideId(id, extended);
    if (this.#given.size + this.#learned.size > 0 && this.#resolveEntry(into, wide, first)) {
      return true;
    }
    if (this.#givenIds.has(wide)) return false;
    return extended ? resolveFixed(into, id, first) : resolveLegislated(into, id);
  }

  #resolveEntry(into: KnownAddress, wide: number, first: number): boolean {
    if (this.#withBytes.has(wide) && this.#found(into, addressKey(wide, first), first)) return true;
    return this.#found(into, addressKey(wide, -1), -1);
  }

  #found(into: KnownAddress, key: number, address: number): boolean {
    const given = this.#given.get(key);
    const end = given ?? this.#learned.get(key);
    if (end === undefined) return false;
    settle(into, key, end.partnerKey, address, end.isFunctional);
    into.isLearned = given === undefined;
    return true;
  }

  /** Replaces the pairs of the bench. */
  give(pairs: readonly IsotpPair[]): void {
    for (const key of this.#given.keys()) this.#unmark(key);
    this.#given.clear();
    this.#givenIds.clear();
    const keyOf = ({ id, extended, addressByte }: IsotpAddress): number =>
      addressKey(wideId(id, extended), addressByte ?? -1);
    const add = (key: number, partnerKey: number, isFunctional: boolean): void => {
      if (this.#given.has(key)) return;
      this.#given.set(key, { key, partnerKey, isFunctional });
      this.#givenIds.add(wideOf(key));
      this.#mark(key);
    };
    for (const { request, response, functional } of pairs) {
      const [asked, answered] = [keyOf(request), keyOf(response)];
      add(asked, answered, false);
      add(answered, asked, false);
      if (functional) add(keyOf(functional), -1, true);
    }
  }

  /** `partnerKey` is -1 if the receiver is not known yet. */
  learn(key: number, partnerKey: number): void {
    this.#add(key, partnerKey);
    if (partnerKey >= 0) this.#add(partnerKey, key);
  }

  #add(key: number, partnerKey: number): void {
    const end = this.#learned.get(key);
    if (end) {
      if (end.partnerKey < 0) end.partnerKey = partnerKey;
      return;
    }
    if (this.#learned.size >= maxLearned) {
      const [oldest] = this.#learned.keys();
      if (oldest !== undefined) this.forget(oldest);
    }
    this.#learned.set(key, { key, partnerKey, isFunctional: false });
    this.#mark(key);
  }

  /** Forgets a learned address and its partner. */
  forget(key: number): void {
    const end = this.#learned.get(key);
    if (!end) return;
    this.#learned.delete(key);
    this.#unmark(key);
    this.forget(end.partnerKey);
  }

  clear(): void {
    this.give([]);
    for (const key of [...this.#learned.keys()]) this.forget(key);
  }

  #mark(key: number): void {
    const wide = wideOf(key);
    this.#marks.add(plainId(wide), isWide(wide));
    if (hasByte(key)) this.#withBytes.set(wide, (this.#withBytes.get(wide) ?? 0) + 1);
  }

  #unmark(key: number): void {
    const wide = wideOf(key);
    this.#marks.remove(plainId(wide), isWide(wide));
    if (!hasByte(key)) return;
    const left = (this.#withBytes.get(wide) ?? 1) - 1;
    if (left > 0) this.#withBytes.set(wide, left);
    else this.#withBytes.delete(wide);
  }
}

const settle = (
  into: KnownAddress,
  key: number,
  partnerKey: number,
  address: number,
  isFunctional: boolean,
): true => {
  into.key = key;
  into.partnerKey = partnerKey;
  into.addressBytes = address < 0 ? 0 : 1;
  into.address = address;
  into.isFunctional = isFunctional;
  into.isLearned = false;
  return true;
};

const resolveLegislated = (into: KnownAddress, id: number): boolean => {
  if (id === legislated.functional) return settle(into, id, -1, -1, true);
  if (id < legislated.first || id > legislated.last) return false;
  return settle(into, id, id ^ legislated.responseBit, -1, false);
};

const resolveFixed = (into: KnownAddress, id: number, first: number): boolean => {
  const group = id & groupBits;
  const isMixed = group === fixedGroup.mixed || group === fixedGroup.mixedFunctional;
  const isNormal = group === fixedGroup.normal || group === fixedGroup.normalFunctional;
  if (!isMixed && !isNormal) return false;
  const address = isMixed ? first : -1;
  const isFunctional =
    group === fixedGroup.normalFunctional || group === fixedGroup.mixedFunctional;
  const own = id & (groupBits | 0xffff);
  const key = addressKey(wideId(own, true), address);
  const partner = isFunctional ? -1 : addressKey(wideId(swapped(own), true), address);
  return settle(into, key, partner, address, isFunctional);
};

/** Every frame has a node address. Address 0 puts the nodes to sleep. */
export const resolveLin = (into: KnownAddress, id: number, nodeAddress: number): boolean => {
  if (nodeAddress === 0 || (id !== linId.request && id !== linId.response)) return false;
  return settle(into, addressKey(id, nodeAddress), -1, nodeAddress, false);
};
