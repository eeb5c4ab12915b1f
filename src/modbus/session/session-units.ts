import type { UnitReport } from './session-record.ts';
import { UnitRecord } from './unit-record.ts';

const ids = 256;
/** A unit with a request within this time is in use. */
const inUseUs = 10_000_000;

export class SessionUnits {
  readonly #records: (UnitRecord | undefined)[] = new Array(ids).fill(undefined);
  readonly #known: UnitRecord[] = [];

  of(unit: number): UnitRecord {
    return this.#records[unit] ?? this.#meet(unit);
  }

  find(unit: number): UnitRecord | undefined {
    return this.#records[unit];
  }

  mayAnySpeakLate(nowUs: number): boolean {
    return this.#known.some((record) => record.maySpeakLate(nowUs));
  }

  nextReturnUs(nowUs: number): number {
    let nextUs = Number.POSITIVE_INFINITY;
    for (const { untilUs } of this.#known) {
      if (untilUs > nowUs && untilUs < nextUs) nextUs = untilUs;
    }
    return nextUs;
  }

  isBackingOff(unit: number, nowUs: number): boolean {
    const record = this.#records[unit];
    if (record === undefined || nowUs >= record.backOff.untilUs) return false;
    return this.#known.some((other) => other !== record && nowUs - other.askedUs < inUseUs);
  }

  reports(nowUs: number): readonly UnitReport[] {
    return this.#known
      .filter(({ backOff, askedUs }) => {
        // Units that a scan did not find are ignored.
        const isInUse = nowUs < Math.max(askedUs + inUseUs, backOff.untilUs);
        return backOff.hasAnswered || isInUse;
      })
      .map((record) => this.#report(record, nowUs))
      .sort((one, other) => one.unit - other.unit);
  }

  #report(record: UnitRecord, nowUs: number): UnitReport {
    record.forget(nowUs);
    const { unit, backOff, untilUs } = record;
    const isBackingOff = this.isBackingOff(unit, nowUs);
    const state = isBackingOff ? 'backing_off' : shownState(record, nowUs);
    const idleUs = state === 'resynchronising' ? untilUs : Number.NEGATIVE_INFINITY;
    const retryUs = (isBackingOff ? backOff.untilUs : idleUs) - nowUs;
    return {
      unit,
      state,
      misses: backOff.misses,
      retry_in_ms: retryUs > 0 ? Math.ceil(retryUs / 1000) : null,
    };
  }

  #meet(unit: number): UnitRecord {
    const record = new UnitRecord(unit);
    this.#records[unit] = record;
    this.#known.push(record);
    return record;
  }
}

const shownState = (
  { state, untilUs, backOff }: UnitRecord,
  nowUs: number,
): UnitReport['state'] => {
  // With transactions, or after a long time, no late response is expected.
  if (state === 'healthy') return backOff.misses > 0 ? 'silent' : 'healthy';
  const isUntouched = state === 'left_alone' && nowUs < untilUs;
  return isUntouched || state === 'probing' ? 'resynchronising' : 'late';
};
