import { type ProbeAnswer, UnitProbe } from './unit-probe.ts';

interface Lateness {
  /** It will not answer any more after that. */
  untilUs: number;
  /** Requests that were given up and may still be answered. */
  requests: number;
  /** Probes that it has not answered. */
  probes: number;
}

/**
 * Units on a serial line that may still answer a request which was given up. Their frames do not tell
 * what they answer, so that it could be taken for the answer to another.
 */
export class LateUnits {
  readonly #units = new Map<number, Lateness>();
  readonly #probe = new UnitProbe();

  /** A request to that unit was given up. */
  expect(unit: number, untilUs: number): void {
    const known = this.#units.get(unit);
    if (known === undefined) {
      this.#units.set(unit, { untilUs, requests: 1, probes: 0 });
      return;
    }
    known.untilUs = Math.max(known.untilUs, untilUs);
    known.requests += 1;
  }

  has(unit: number, nowUs: number): boolean {
    const known = this.#units.get(unit);
    if (known === undefined) return false;
    if (known.untilUs > nowUs) return true;
    this.#units.delete(unit);
    return false;
  }

  /** The PDU of a probe that goes out to a unit. */
  probe(unit: number): Uint8Array {
    const known = this.#units.get(unit);
    if (known !== undefined) known.probes += 1;
    return this.#probe.next();
  }

  /** Takes note of a PDU from a unit, and tells whether it answers a probe. */
  hear(unit: number, bytes: Uint8Array, at: number, length: number): boolean {
    const answer = this.#probe.answerIn(bytes, at, length);
    const known = this.#units.get(unit);
    if (known !== undefined && this.#isLast(known, answer)) this.#units.delete(unit);
    return answer !== 'none';
  }

  /** Whether a unit has nothing left to say once it has said that. */
  #isLast(known: Lateness, answer: ProbeAnswer): boolean {
    switch (answer) {
      case 'echo':
        return true;
      case 'other_echo':
        return false;
      case 'refusal':
        // The oldest of the probes is refused; the others still may be.
        known.probes -= 1;
        return known.probes === 0;
      case 'none':
        known.requests -= 1;
        return known.requests === 0;
    }
  }
}
