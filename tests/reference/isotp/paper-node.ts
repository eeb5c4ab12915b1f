import { paperFrame, paperSegments, type Rules } from './paper-segments.ts';

/** One end of a pair of identifiers. It sends and receives at the same time. */
export interface Node {
  start(payload: readonly number[], us: number): void;
  hear(data: readonly number[], us: number): void;
  /** Next frame for the bus. */
  take(us: number): number[] | null;
  sent(us: number): void;
  expire(us: number): void;
  readonly dueUs: number;
  readonly isSending: boolean;
  /** What its receiver reported, except by a node that only shows the frames. */
  readonly outcomes: readonly string[] | null;
}

/** Time-outs of all nodes. They differ, so that no two end at the same time. */
export const paperTimes = { nAsUs: 1_000_000, nBsUs: 1_000_000, nCrUs: 1_300_000 };

const reservedMs = 127;

export const paperGapUs = (stMin: number): number => {
  if (stMin < 0x80) return stMin * 1000;
  return stMin >= 0xf1 && stMin <= 0xf9 ? (stMin % 16) * 100 : reservedMs * 1000;
};

/** A node written from the rules alone: it lists all frames of a message before it sends any. */
export class PaperNode implements Node {
  dueUs = Number.POSITIVE_INFINITY;
  readonly outcomes = null;
  readonly #rules: Rules;
  readonly #random: () => number;
  readonly #addressBytes: number;
  #toSend: number[][] = [];
  /** Frames that may be sent without another flow control. */
  #allowed = 0;
  #gapUs: number | null = null;
  #blockSize = 0;
  #fromUs = 0;
  #atPort: 'data' | 'flow' | null = null;
  readonly #flows: number[][] = [];
  #announced = 0;
  #got = 0;
  #sinceFlow = 0;

  constructor(rules: Rules, random: () => number) {
    this.#rules = rules;
    this.#random = random;
    this.#addressBytes = rules.addressByte === null ? 0 : 1;
  }

  get isSending(): boolean {
    return this.#toSend.length > 0;
  }

  start(payload: readonly number[], us: number): void {
    this.#toSend = paperSegments(this.#rules, payload);
    this.#allowed = 1;
    this.#gapUs = null;
    this.#fromUs = us;
    this.dueUs = Number.POSITIVE_INFINITY;
  }

  hear(data: readonly number[], us: number): void {
    const bytes = data.slice(this.#addressBytes);
    const [pci = -1, second = 0, third = 0] = bytes;
    if (pci >= 0x30 && pci <= 0x3f) this.#hearFlow(pci, second, third, us);
    else if (pci >= 0x10 && pci <= 0x1f) {
      const short = (pci - 0x10) * 256 + second;
      this.#announced = short || bytes.slice(2, 6).reduce((sum, byte) => sum * 256 + byte, 0);
      this.#got = bytes.length - (short ? 2 : 6);
      this.#answer();
    } else if (pci >= 0x20 && pci <= 0x2f && this.#got < this.#announced) {
      this.#got += bytes.length - 1;
      this.#sinceFlow += 1;
      if (this.#sinceFlow === this.#rules.blockSize && this.#got < this.#announced) this.#answer();
    } else if (pci < 0x10) this.#announced = 0;
  }

  take(us: number): number[] | null {
    if (this.#atPort !== null) return null;
    const flow = this.#flows.shift();
    if (flow) {
      this.#atPort = 'flow';
      return flow;
    }
    const frame = this.#toSend[0];
    if (!frame || this.#allowed === 0) return null;
    if (us < this.#fromUs) {
      this.dueUs = this.#fromUs;
      return null;
    }
    this.#atPort = 'data';
    return frame;
  }

  sent(us: number): void {
    const kind = this.#atPort;
    this.#atPort = null;
    if (kind !== 'data') return;
    this.#toSend.shift();
    this.#allowed -= 1;
    if (this.#gapUs !== null) this.#fromUs = us + this.#gapUs;
    const isWaiting = this.isSending && this.#allowed === 0;
    this.dueUs = isWaiting ? us + paperTimes.nBsUs : Number.POSITIVE_INFINITY;
  }

  expire(us: number): void {
    if (us < this.dueUs) return;
    this.dueUs = Number.POSITIVE_INFINITY;
    if (this.#allowed === 0) this.#toSend = [];
  }

  #hearFlow(pci: number, blockSize: number, stMin: number, us: number): void {
    if (!this.isSending || this.#allowed > 0 || this.#atPort === 'data') return;
    if (pci === 0x32) this.#toSend = [];
    if (pci === 0x31) this.dueUs = us + paperTimes.nBsUs;
    if (pci !== 0x30) return;
    if (this.#gapUs === null) {
      this.#gapUs = paperGapUs(stMin);
      this.#blockSize = blockSize;
    }
    this.#allowed = this.#blockSize || Number.POSITIVE_INFINITY;
    this.dueUs = Number.POSITIVE_INFINITY;
  }

  #answer(): void {
    const { blockSize, stMin, maxLength } = this.#rules;
    this.#sinceFlow = 0;
    const push = (status: number): void => {
      this.#flows.push(paperFrame(this.#rules, [status, blockSize, stMin]));
    };
    if (this.#announced > maxLength) {
      this.#announced = 0;
      push(0x32);
      return;
    }
    while (this.#random() < 0.1) push(0x31);
    push(0x30);
  }
}
