/**
 * A node that claims an address, written from the rules of network management alone. It speaks
 * in text: `claim 80 by 0102…` and `request by 21 to FF`.
 */
export interface Said {
  readonly kind: 'claim' | 'request';
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

interface Plan {
  readonly atMs: number;
  readonly act: 'own' | 'give up';
}

export class PaperNode {
  readonly name: string;
  readonly isFlexible: boolean;
  address: number;
  owns = false;
  hasGivenUp = false;
  /** To be said next. */
  outbox: Said[] = [];
  plan: Plan | null = null;
  readonly #heard = new Map<number, string>();

  constructor(name: string, address: number) {
    this.name = name;
    this.isFlexible = Number.parseInt(name[0] ?? '0', 16) >= 8;
    this.address = address;
    this.#announce();
  }

  /** What it said reached the bus. */
  said({ kind, from }: Said, ms: number): void {
    if (kind === 'claim' && from === this.address && !this.owns && !this.hasGivenUp) {
      this.plan ??= { atMs: ms + 250, act: 'own' };
    }
  }

  hear({ kind, from, to, name }: Said, ms: number, random: () => number): void {
    if (kind === 'request') {
      if (to !== 255 && (to !== this.address || this.hasGivenUp)) return;
      if (this.hasGivenUp) this.plan ??= { atMs: ms + 153 * random(), act: 'give up' };
      else this.outbox.push(this.#claim(this.address));
      return;
    }
    for (const [address, other] of this.#heard) if (other === name) this.#heard.delete(address);
    if (from === 254) return;
    this.#heard.set(from, name);
    if (this.hasGivenUp || from !== this.address) return;
    // Names are compared as hexadecimal text of one length.
    if (this.name < name) {
      this.outbox.push(this.#claim(this.address));
      return;
    }
    this.owns = false;
    this.plan = null;
    this.outbox = [];
    const next = this.isFlexible ? this.#next() : undefined;
    if (next === undefined) {
      this.hasGivenUp = true;
      this.plan = { atMs: ms + 153 * random(), act: 'give up' };
    } else {
      this.address = next;
      this.#announce();
    }
  }

  due(): void {
    const act = this.plan?.act;
    this.plan = null;
    if (act === 'own') this.owns = true;
    else this.outbox.push(this.#claim(254));
  }

  #announce(): void {
    this.outbox.push(this.#claim(this.address));
  }

  #claim(from: number): Said {
    return { kind: 'claim', from, to: 255, name: this.name };
  }

  #next(): number | undefined {
    const all = Array.from({ length: 120 }, (_, i) => 128 + i);
    const after = all.filter((address) => address > this.address);
    return [...after, ...all].find((address) => !this.#heard.has(address));
  }
}
