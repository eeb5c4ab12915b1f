import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { maxMilliseconds } from '../project/fields.ts';
import type { ImportDefault } from '../project/project.ts';
import type { Direction } from '../project/tables/messages.ts';
import { maxNotes } from './import-notes.ts';

export const missingCycles = ['periodic', 'on_change'] as const;
export type MissingCycle = (typeof missingCycles)[number];

export interface CycleOptions {
  readonly direction: Direction;
  /** How to send messages without a period. If omitted, such messages are rejected. */
  readonly missingCycle?: MissingCycle | undefined;
  /** Period of messages without one; 0 for none. */
  readonly defaultPeriodMs?: number | undefined;
  readonly staleAfterMs?: number | undefined;
}

export interface Cycle {
  readonly period_ms?: number;
  readonly stale_after_ms?: number;
  readonly isOnChange: boolean;
}

const stalePeriods = 3;
const shownNames = 5;

const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, shownNames).join(', ');
  return names.length > shownNames ? `${shown} and ${names.length - shownNames} more` : shown;
};

/** Assigns periods and timeouts to messages, and notes those missing from the file. */
export class CycleRules {
  readonly defaults: ImportDefault[] = [];
  readonly #options: CycleOptions;
  readonly #lacking: string[] = [];

  constructor(options: CycleOptions) {
    this.#options = options;
  }

  /** Returns the cycle of a message, or the reason why a project cannot have it. */
  cycleOf(id: string, name: string, cycleTimeMs: number | null): Cycle | string {
    // The limit applies to three periods of a received message, or to one of a sent message.
    const max = this.#options.direction === 'tx' ? cycleTimeMs : stalePeriods * (cycleTimeMs ?? 0);
    if (max !== null && max > maxMilliseconds) {
      return `has a period of ${cycleTimeMs} ms, which is too long`;
    }
    return this.#options.direction === 'tx'
      ? this.#sent(id, name, cycleTimeMs)
      : this.#received(id, name, cycleTimeMs);
  }

  assertComplete(): void {
    const { direction, missingCycle } = this.#options;
    const names = this.#lacking;
    const details = { messages: names.slice(0, maxNotes), total: names.length };
    if (direction === 'tx' && missingCycle === 'periodic' && !this.#options.defaultPeriodMs) {
      const without = names.length === 0 ? '' : `; it is the period of ${listed(names)}`;
      const message = `missing_cycle periodic needs a default_period_ms above 0${without}`;
      throw invalidArgument('default_period_ms', message, names.length === 0 ? {} : details);
    }
    if (names.length === 0) return;
    if (direction === 'rx') {
      const message = `stale_after_ms is required: the file has no period for ${listed(names)}`;
      throw invalidArgument('stale_after_ms', message, details);
    }
    throw new BusbarError('missing_cycle', {
      message: `The file has no period for ${listed(names)}`,
      details: { field: 'missing_cycle', ...details },
    });
  }

  #sent(id: string, name: string, cycleTimeMs: number | null): Cycle | string {
    if (cycleTimeMs !== null) {
      if (Number.isInteger(cycleTimeMs)) return { period_ms: cycleTimeMs, isOnChange: false };
      return `has a period of ${cycleTimeMs} ms, which is no whole number of milliseconds`;
    }
    const { missingCycle, defaultPeriodMs } = this.#options;
    if (missingCycle === 'on_change') {
      this.#note(id, 'min_interval_ms', 0, 'No period in the file: sent on change');
      return { isOnChange: true };
    }
    if (missingCycle === undefined || !defaultPeriodMs) {
      this.#lacking.push(name);
      return { isOnChange: false };
    }
    this.#note(id, 'period_ms', defaultPeriodMs, 'No period in the file: default_period_ms');
    return { period_ms: defaultPeriodMs, isOnChange: false };
  }

  #received(id: string, name: string, cycleTimeMs: number | null): Cycle {
    if (cycleTimeMs !== null) {
      const staleAfterMs = Math.ceil(cycleTimeMs * stalePeriods);
      this.#note(id, 'stale_after_ms', staleAfterMs, `Three periods of ${cycleTimeMs} ms`);
      return {
        ...(Number.isInteger(cycleTimeMs) ? { period_ms: cycleTimeMs } : {}),
        stale_after_ms: staleAfterMs,
        isOnChange: false,
      };
    }
    const { staleAfterMs } = this.#options;
    if (staleAfterMs === undefined) {
      this.#lacking.push(name);
      return { isOnChange: false };
    }
    this.#note(id, 'stale_after_ms', staleAfterMs, 'No period in the file: stale_after_ms');
    return { stale_after_ms: staleAfterMs, isOnChange: false };
  }

  #note(message: string, field: string, value: number, rule: string): void {
    this.defaults.push({ message, field, value, rule });
  }
}
