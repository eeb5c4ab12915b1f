const warningLimit = 96;
const passiveLimit = 128;
const busOffLimit = 256;
/** Receive error count after an error-passive receiver has received a valid frame. */
const stillActive = 127;
const transmitPenalty = 8;
const highestReceive = 255;

export const severity = { active: 0, warning: 1, passive: 2, busOff: 3 } as const;

export class CanErrorCounters {
  #transmit = 0;
  #receive = 0;

  get transmit(): number {
    return this.#transmit;
  }

  get receive(): number {
    return this.#receive;
  }

  get severity(): number {
    const worse = Math.max(this.#transmit, this.#receive);
    if (worse < warningLimit) return severity.active;
    if (worse < passiveLimit) return severity.warning;
    return this.#transmit >= busOffLimit ? severity.busOff : severity.passive;
  }

  get isPassive(): boolean {
    return this.#transmit >= passiveLimit || this.#receive >= passiveLimit;
  }

  transmitted(): void {
    if (this.#transmit > 0) this.#transmit -= 1;
  }

  received(): void {
    if (this.#receive > stillActive) this.#receive = stillActive;
    else if (this.#receive > 0) this.#receive -= 1;
  }

  transmitFailed(): void {
    this.#transmit = Math.min(this.#transmit + transmitPenalty, busOffLimit);
  }

  receiveFailed(): void {
    this.#receive = Math.min(this.#receive + 1, highestReceive);
  }

  reset(): void {
    this.#transmit = 0;
    this.#receive = 0;
  }
}
