import { maxFdLength } from '../../frame/dlc.ts';
import { HeardFrame, type IdMarks, isWide, plainId } from './heard-frame.ts';
import { addressKey } from './known-addresses.ts';
import { classicDl, flowStatus, maxShortLength, maxSingle, Pci, readPci } from './pci.ts';
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

/** Whether one of the first two bytes can be that of flow control. */
export const isFlowLike = (first: number, second: number): boolean =>
  first >> 4 === 3 || second >> 4 === 3;

/** Flow control after a first frame, in one layout. */
class HeardFlow {
  readonly frame = new HeardFrame();
  key = 0;
  /** Two are as many as any number: the receiver is unknown. */
  senders: 0 | 1 | 2 = 0;
}

type Flows = readonly [HeardFlow, HeardFlow];

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
  /** First frames in columns, by a hash of their identifiers: most are of other traffic. */
  readonly #ids = new Int32Array(candidateCount).fill(-1);
  readonly #kinds = new Uint8Array(candidateCount);
  readonly #lengths = new Uint8Array(candidateCount);
  readonly #times = new Float64Array(candidateCount);
  readonly #events = new Float64Array(candidateCount);
  readonly #data = new Uint8Array(candidateCount * maxFdLength);
  readonly #hasFlow = new Uint8Array(candidateCount);
  readonly #flows: readonly Flows[];
  readonly #first = new HeardFrame();
  readonly #pci = new Pci();
  #active = 0;

  constructor(marks: IdMarks) {
    this.#marks = marks;
    this.#flows = Array.from({ length: candidateCount }, () => [new HeardFlow(), new HeardFlow()]);
  }

  get isEmpty(): boolean {
    return this.#active === 0;
  }

  /** Takes a frame of an unknown identifier, or of one whose partner is unknown. */
  take(frame: HeardFrame): FoundPair | null {
    const { wide } = frame;
    const own = indexOf(wide);
    const isOwn = this.#ids[own] === wide;
    if (isOwn) {
      const found = this.#found(own, frame);
      if (found) return found;
    }
    const isFlow = this.#takeFlow(frame);
    if (this.note(frame)) return null;
    if (isOwn && !isFlow) this.#drop(own);
    return null;
  }

  /** Notes a frame if it can be a first frame. */
  note(frame: HeardFrame): boolean {
    const { bytes, at, length, kind, wide } = frame;
    const isFirst =
      isLikelyFirst(this.#pci, bytes, at, length, 0) ||
      isLikelyFirst(this.#pci, bytes, at, length, 1);
    if (!isFirst) return false;
    const index = indexOf(wide);
    const other = this.#ids[index] as number;
    if (other >= 0) {
      if (other === wide && this.#isTwin(index, kind, bytes, at, length)) return true;
      if (this.#hasFlow[index] === 1) {
        const isFresh = frame.timestampUs - (this.#times[index] as number) <= followUs;
        if (other !== wide && isFresh) return true;
        this.#clearFlows(index);
      }
    } else this.#active += 1;
    if (other !== wide) {
      if (other >= 0) this.#unmark(other);
      this.#ids[index] = wide;
      this.#marks.add(plainId(wide), isWide(wide));
    }
    this.#kinds[index] = kind;
    this.#lengths[index] = length;
    this.#times[index] = frame.timestampUs;
    this.#events[index] = frame.eventId;
    const from = index * maxFdLength;
    for (let i = 0; i < length; i++) this.#data[from + i] = bytes[at + i] as number;
    return true;
  }

  clear(): void {
    for (let index = 0; index < candidateCount; index++) this.#drop(index);
  }

  /** Whether a frame was reported as sent and as received. */
  #isTwin(index: number, kind: number, bytes: Uint8Array, at: number, length: number): boolean {
    if (this.#kinds[index] === kind || this.#lengths[index] !== length) return false;
    const from = index * maxFdLength;
    for (let i = 0; i < length; i++) {
      if (this.#data[from + i] !== bytes[at + i]) return false;
    }
    return true;
  }

  #drop(index: number): void {
    const wide = this.#ids[index] as number;
    if (wide < 0) return;
    this.#ids[index] = -1;
    this.#active -= 1;
    this.#clearFlows(index);
    this.#unmark(wide);
  }

  #unmark(wide: number): void {
    this.#marks.remove(plainId(wide), isWide(wide));
  }

  #clearFlows(index: number): void {
    this.#hasFlow[index] = 0;
    const [normal, addressed] = this.#flows[index] as Flows;
    normal.senders = 0;
    addressed.senders = 0;
  }

  #takeFlow(frame: HeardFrame): boolean {
    if (this.#active === 0) return false;
    let isFlow = false;
    for (const layout of layouts) {
      if (!isLikelyFlow(this.#pci, frame, layout)) continue;
      isFlow = true;
      for (let index = 0; index < candidateCount; index++) {
        const wide = this.#ids[index] as number;
        if (wide < 0 || wide === frame.wide) continue;
        const pauseUs = frame.timestampUs - (this.#times[index] as number);
        if (pauseUs >= 0 && pauseUs <= followUs) this.#addFlow(index, frame, layout);
      }
    }
    return isFlow;
  }

  #addFlow(index: number, frame: HeardFrame, layout: AddressBytes): void {
    const at = index * maxFdLength;
    const length = this.#lengths[index] as number;
    if (!isLikelyFirst(this.#pci, this.#data, at, length, layout)) return;
    const flow = (this.#flows[index] as Flows)[layout];
    const key = keyOf(frame, layout);
    if (flow.senders > 0 && flow.key !== key) {
      flow.senders = 2;
      return;
    }
    flow.key = key;
    flow.frame.copy(frame);
    if (flow.senders === 0) flow.senders = 1;
    this.#hasFlow[index] = 1;
  }

  #found(index: number, frame: HeardFrame): FoundPair | null {
    if (this.#hasFlow[index] === 0) return null;
    const first = this.#firstAt(index, frame.channel);
    for (const layout of layouts) {
      const flow = (this.#flows[index] as Flows)[layout];
      if (flow.senders === 0 || frame.timestampUs - flow.frame.timestampUs > followUs) continue;
      if (!this.#isNext(first, frame, layout)) continue;
      const isClear = flow.senders === 1;
      this.#drop(index);
      return {
        key: keyOf(first, layout),
        partnerKey: isClear ? flow.key : -1,
        first,
        flow: isClear ? flow.frame : null,
      };
    }
    return null;
  }

  #firstAt(index: number, channel: number): HeardFrame {
    const first = this.#first;
    const wide = this.#ids[index] as number;
    first.channel = channel;
    first.id = plainId(wide);
    first.extended = isWide(wide);
    first.kind = this.#kinds[index] as number;
    first.length = this.#lengths[index] as number;
    first.timestampUs = this.#times[index] as number;
    first.eventId = this.#events[index] as number;
    first.bytes = this.#data;
    first.at = index * maxFdLength;
    return first;
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

const indexOf = (wide: number): number =>
  (wide ^ (wide >>> 6) ^ (wide >>> 12) ^ (wide >>> 18)) & (candidateCount - 1);

const keyOf = (frame: HeardFrame, layout: AddressBytes): number =>
  addressKey(frame.wide, layout === 0 ? -1 : (frame.bytes[frame.at] as number));

const isLikelyFirst = (
  pci: Pci,
  bytes: Uint8Array,
  at: number,
  length: number,
  layout: AddressBytes,
): boolean => {
  const head = bytes[at + layout] as number;
  if (head >> 4 !== 1 || length < classicDl) return false;
  if (head > 0x10 && length === classicDl) return true;
  readPci(pci, bytes, at, length, layout);
  if (pci.kind !== 'first' || pci.length <= maxSingle(length, layout)) return false;
  const isLongForm = pci.dataAt - at - layout > 2;
  return (
    pci.length <= (isLongForm ? maxLikely : maxShortLength) &&
    (!isLongForm || pci.length > maxShortLength)
  );
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
