const zero = 0x30;
const usPerSecond = 1_000_000;
/** `Date` supports no later and no earlier time. */
const maxSeconds = 8_640_000_000_000;

export const timeBytes = 32;

/** Writes times such as `2026-01-01T12:00:00.000250Z`, without the `Z`. */
export class TimeWriter {
  #second = Number.NaN;
  #prefix = new Uint8Array(0);

  put(to: Uint8Array, at: number, timeUs: number): number {
    const second = Math.floor(timeUs / usPerSecond);
    if (second !== this.#second) this.#enter(second);
    const prefix = this.#prefix;
    let end = at;
    for (let i = 0; i < prefix.length; i++) to[end++] = prefix[i] as number;
    let rest = (timeUs - second * usPerSecond) | 0;
    for (let place = end + 5; place >= end; place--) {
      const next = (rest / 10) | 0;
      to[place] = zero + (rest - next * 10);
      rest = next;
    }
    return end + 6;
  }

  #enter(second: number): void {
    this.#second = second;
    const known = Math.max(-maxSeconds, Math.min(maxSeconds, second));
    const text = new Date(known * 1000).toISOString();
    this.#prefix = new TextEncoder().encode(text.slice(0, -'000Z'.length));
  }
}
