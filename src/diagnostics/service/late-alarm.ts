/** After an alarm this late, a response may be unread. It is read before the deadline counts. */
const lateUs = 2000;
/** A thread that is held up again and again still ends its requests. */
const maxTimes = 50;

/** Postpones the deadline of a response if its alarm comes late. */
export class LateAlarm {
  /** Time by which the deadline is postponed. */
  graceUs = 0;
  #times = 0;

  /** Whether an alarm is so late that the deadline, postponed as it is, is postponed again. */
  postpones(deadlineUs: number, nowUs: number): boolean {
    const us = nowUs - deadlineUs;
    if (us <= lateUs || this.#times >= maxTimes) return false;
    this.#times += 1;
    this.graceUs += us + lateUs;
    return true;
  }

  reset(): void {
    this.graceUs = 0;
    this.#times = 0;
  }
}
