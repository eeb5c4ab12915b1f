import { breakMark, MarkedBytes } from '../../../base/serial/marked-bytes.ts';
import { withMarks } from '../../../base/serial/testing/with-marks.ts';

/** A symbol on the wire: a byte, or a break, which is larger than any byte. */
const breakSymbol = 0x100;
const syncByte = 0x55;

/** How a test changes the next responses of a node. */
interface ResponseFaults {
  corrupted: number;
  dropped: number;
}

/**
 * A node's connection to the wire. Terminals do not transmit breaks: in both directions a break
 * is written as a terminal with PARMRK would report it, and FF is doubled (`MarkedBytes`).
 */
export class WireEnd {
  readonly faults: ResponseFaults = { corrupted: 0, dropped: 0 };
  /** Symbols that the node has sent and that are not on the wire yet. */
  readonly symbols: number[] = [];
  /** Raw bytes for the node that its port has not received yet. */
  arriving: number[] = [];
  readonly #reader = new MarkedBytes({
    byte: (byte) => this.symbols.push(byte),
    lineBreak: () => this.symbols.push(breakSymbol),
    framingError: (byte) => this.symbols.push(byte),
  });

  received(bytes: Uint8Array): void {
    this.#reader.read(bytes);
  }

  arrive(symbol: number): void {
    const raw = symbol === breakSymbol ? breakMark : withMarks(Uint8Array.of(symbol));
    this.arriving.push(...raw);
  }

  /** Removes up to this many of the received raw bytes. */
  takeArrived(count: number): Uint8Array {
    return Uint8Array.from(this.arriving.splice(0, count));
  }

  clear(): void {
    this.symbols.length = 0;
    this.arriving.length = 0;
    this.#reader.reset();
  }
}

/**
 * One wire that connects nodes, byte by byte. Low is dominant: simultaneous bytes are combined by
 * bitwise AND.
 */
export class EmulatedWire {
  readonly ends: WireEnd[] = [];
  /** Number of symbols since the last break; a header has two. */
  #sinceBreak = Number.POSITIVE_INFINITY;

  join(): WireEnd {
    const end = new WireEnd();
    this.ends.push(end);
    return end;
  }

  /** Puts the next symbol of every node on the wire; false if no node has one. */
  step(): boolean {
    if (this.#sinceBreak === 2) this.#applyDrops();
    const speakers = this.ends.filter(({ symbols }) => symbols.length > 0);
    if (speakers.length === 0) return false;
    const isSpoilt = this.#isSpoilt(speakers);
    let symbol = breakSymbol | 0xff;
    for (const { symbols } of speakers) {
      const next = symbols.shift() as number;
      symbol = next === breakSymbol || symbol === breakSymbol ? breakSymbol : symbol & next;
    }
    this.#count(symbol);
    for (const end of this.ends) {
      // The senders receive their own bytes: only the others are disturbed.
      const roundDue = isSpoilt && !speakers.includes(end);
      end.arrive(roundDue ? symbol ^ 0xff : symbol);
    }
    return true;
  }

  #count(symbol: number): void {
    if (symbol === breakSymbol) this.#sinceBreak = 0;
    else if (this.#sinceBreak > 0 || symbol === syncByte) this.#sinceBreak += 1;
  }

  /** After a header, nodes discard the response that they were about to send. */
  #applyDrops(): void {
    for (const { faults, symbols } of this.ends) {
      if (faults.dropped === 0 || symbols.length === 0) continue;
      faults.dropped -= 1;
      symbols.length = 0;
    }
  }

  /** Whether the next byte is the last one of a response to corrupt. */
  #isSpoilt(speakers: readonly WireEnd[]): boolean {
    const [only] = speakers;
    if (speakers.length !== 1 || only === undefined || only.faults.corrupted === 0) return false;
    if (this.#sinceBreak <= 2 || only.symbols.length !== 1) return false;
    only.faults.corrupted -= 1;
    return true;
  }
}
