import { HeardFrame, type IdMarks } from './heard-frame.ts';
import { addressKey } from './known-addresses.ts';
import { flowStatus, maxShortLength, maxSingle, Pci, readPci } from './pci.ts';
import { isReservedStMin } from './st-min.ts';

/** Time in which flow control follows a first frame, and the first consecutive frame that. */
const followUs = 1_000_000;

const candidateCount = 64;
/** A first frame of others would rarely announce more. */
const maxLikely = 0x100_0000;

type AddressBytes = 0 | 1;
const layouts: readonly AddressBytes[] = [0, 1];

/** First bytes of frames that can begin a message, or let one continue. */
const beginnings = new Uint8Array(256);
for (let byte = 0x10; byte <= 0x1f; byte++) beginnings[byte] = 1;
beginnings[0x30 | flowStatus.continue] = 1;
beginnings[0x30 | flowStatus.wait] = 1;

/** Whether a frame of an unknown identifier can be a first frame or flow control. */
export const isBeginning = (first: number, second: number): boolean =>
  ((beginnings[first] as number) | (beginnings[second] as number)) !== 0;

/** Flow control after a first frame, in one layout. */
class HeardFlow {
  readonly frame = new HeardFrame();
  key = 0;
  /** Two are as many as any number: the receiver is unknown. */
  senders: 0 | 1 | 2 = 0;
}

class Candidate {
  isActive = false;
  readonly first = new HeardFrame();
  readonly flows: readonly [HeardFlow, HeardFlow] = [new HeardFlow(), new HeardFlow()];

  get hasFlow(): boolean {
    return this.flows[0].senders + this.flows[1].senders > 0;
  }
}

/** Two directions that were found, and their frames so far. */
export interface FoundPair {
  readonly key: number;
  readonly partnerKey: number;
  readonly first: HeardFrame;
  /** Null if several nodes answered at the same time. */
  readonly flow: HeardFrame | null;
}

/**
 * Finds pairs by their conversation. Any data can look like one of its frames, so all three are
 * needed, and no other frame of A in between:
 *
 *     A   1L LL …                 21 …
 *     B             30 BS ST
 *
 * If other nodes send what looks like flow control, too, A is known but not its partner.
 */
export class PairCandidates {
  readonly #marks: IdMarks;
  readonly #candidates: readonly Candidate[];
  readonly #pci = new Pci();
  #active = 0;

  constructor(marks: IdMarks) {
    this.#marks = marks;
    this.#candidates = Array.from({ length: candidateCount }, () => new Candidate());
  }

  /** Takes a frame of an unknown identifier, or of one whose partner is unknown. */
  take(frame: HeardFrame): FoundPair | null {
    const own = this.#at(frame);
    const isOwn = own.isActive && own.first.wide === frame.wide;
    if (isOwn) {
      const found = this.#found(own, frame);
      if (found) return found;
    }
    const isFlow = this.#takeFlow(frame);
    if (isLikelyFirst(this.#pci, frame, 0) || isLikelyFirst(this.#pci, frame, 1)) {
      this.#note(own, frame);
    } else if (isOwn && !isFlow) this.#drop(own);
    return null;
  }

  clear(): void {
    for (const candidate of this.#candidates) this.#drop(candidate);
  }

  #at({ id }: HeardFrame): Candidate {
    const index = (id ^ (id >>> 6) ^ (id >>> 12) ^ (id >>> 18)) & (candidateCount - 1);
    return this.#candidates[index] as Candidate;
  }

  #note(candidate: Candidate, frame: HeardFrame): void {
    const { first } = candidate;
    if (candidate.isActive) {
      // Reported as sent and as received.
      if (first.kind !== frame.kind && first.equals(frame)) return;
      const isFresh = frame.timestampUs - first.timestampUs <= followUs;
      if (first.wide !== frame.wide && candidate.hasFlow && isFresh) return;
      this.#drop(candidate);
    }
    first.copy(frame);
    candidate.isActive = true;
    this.#active += 1;
    this.#marks.add(frame.id, frame.extended);
  }

  #drop(candidate: Candidate): void {
    if (!candidate.isActive) return;
    candidate.isActive = false;
    candidate.flows[0].senders = 0;
    candidate.flows[1].senders = 0;
    this.#active -= 1;
    this.#marks.remove(candidate.first.id, candidate.first.extended);
  }

  #takeFlow(frame: HeardFrame): boolean {
    if (this.#active === 0) return false;
    let isFlow = false;
    for (const layout of layouts) {
      if (!isLikelyFlow(this.#pci, frame, layout)) continue;
      isFlow = true;
      for (const candidate of this.#candidates) {
        if (candidate.isActive) this.#addFlow(candidate, frame, layout);
      }
    }
    return isFlow;
  }

  #addFlow({ first, flows }: Candidate, frame: HeardFrame, layout: AddressBytes): void {
    const pauseUs = frame.timestampUs - first.timestampUs;
    if (first.wide === frame.wide || pauseUs < 0 || pauseUs > followUs) return;
    if (!isLikelyFirst(this.#pci, first, layout)) return;
    const flow = flows[layout];
    const key = keyOf(frame, layout);
    if (flow.senders > 0 && flow.key !== key) {
      flow.senders = 2;
      return;
    }
    flow.key = key;
    flow.frame.copy(frame);
    if (flow.senders === 0) flow.senders = 1;
  }

  #found(candidate: Candidate, frame: HeardFrame): FoundPair | null {
    const { first, flows } = candidate;
    for (const layout of layouts) {
      const flow = flows[layout];
      if (flow.senders === 0 || frame.timestampUs - flow.frame.timestampUs > followUs) continue;
      if (!this.#isNext(first, frame, layout)) continue;
      const isClear = flow.senders === 1;
      this.#drop(candidate);
      return {
        key: keyOf(first, layout),
        partnerKey: isClear ? flow.key : -1,
        first,
        flow: isClear ? flow.frame : null,
      };
    }
    return null;
  }

  /** Whether it is the first consecutive frame after a first frame. */
  #isNext(first: HeardFrame, frame: HeardFrame, layout: AddressBytes): boolean {
    const pci = this.#pci;
    if (layout === 1 && frame.bytes[frame.at] !== first.bytes[first.at]) return false;
    readPci(pci, first.bytes, first.at, first.length, layout);
    const missing = pci.length - (first.at + first.length - pci.dataAt);
    readPci(pci, frame.bytes, frame.at, frame.length, layout);
    if (pci.kind !== 'consecutive' || pci.sequence !== 1 || frame.length > first.length) {
      return false;
    }
    return frame.at + frame.length - pci.dataAt >= Math.min(missing, first.length - 1 - layout);
  }
}

const keyOf = (frame: HeardFrame, layout: AddressBytes): number =>
  addressKey(frame.wide, layout === 0 ? -1 : (frame.bytes[frame.at] as number));

const isLikelyFirst = (pci: Pci, frame: HeardFrame, layout: AddressBytes): boolean => {
  const { bytes, at, length } = frame;
  if ((bytes[at + layout] as number) >> 4 !== 1) return false;
  readPci(pci, bytes, at, length, layout);
  if (pci.kind !== 'first' || pci.length <= maxSingle(length, layout)) return false;
  const isLongForm = pci.dataAt - at - layout > 2;
  return pci.length <= (isLongForm ? maxLikely : maxShortLength) &&
    (!isLongForm || pci.length > maxShortLength);
};

/** All bytes after the three of a flow control are equal: they are padding. */
const isLikelyFlow = (pci: Pci, frame: HeardFrame, layout: AddressBytes): boolean => {
  const { bytes, at, length } = frame;
  if ((bytes[at + layout] as number) >> 4 !== 3) return false;
  readPci(pci, bytes, at, length, layout);
  if (pci.kind !== 'flow' || pci.status > flowStatus.wait || isReservedStMin(pci.stMin)) {
    return false;
  }
  for (let i = pci.dataAt + 1; i < at + length; i++) {
    if (bytes[i] !== bytes[pci.dataAt]) return false;
  }
  return true;
};
