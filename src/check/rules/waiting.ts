/** Times and numbers of events that wait, oldest first. Allocates only when it grows. */
export class WaitingEvents {
  #times = new Float64Array(16);
  #numbers = new Float64Array(16);
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get firstNs(): number {
    return this.#times[this.#head] as number;
  }

  get firstNumber(): number {
    return this.#numbers[this.#head] as number;
  }

  push(timeNs: number, number: number): void {
    if (this.#size === this.#times.length) this.#grow();
    const at = (this.#head + this.#size) & (this.#times.length - 1);
    this.#times[at] = timeNs;
    this.#numbers[at] = number;
    this.#size += 1;
  }

  shift(): void {
    this.#head = (this.#head + 1) & (this.#times.length - 1);
    this.#size -= 1;
  }

  clear(): void {
    this.#size = 0;
  }

  #grow(): void {
    const size = this.#size;
    const times = new Float64Array(2 * size);
    const numbers = new Float64Array(2 * size);
    for (let i = 0; i < size; i++) {
      const at = (this.#head + i) & (size - 1);
      times[i] = this.#times[at] as number;
      numbers[i] = this.#numbers[at] as number;
    }
    this.#times = times;
    this.#numbers = numbers;
    this.#head = 0;
  }
}
