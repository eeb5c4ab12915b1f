import type { Multiplexing } from '../../model.ts';
import { deepestMultiplexing } from '../limits.ts';
import type { DraftMessage, DraftSignal, SignalNotes } from '../read/draft.ts';
import { type DbcProblems, shown } from '../read/problems.ts';

/** How the signals of a message depend on each other, in the order of the signals. */
export interface Dependencies {
  readonly multiplexing: readonly (Multiplexing | null)[];
  readonly switches: ReadonlySet<string>;
}

const independent: Dependencies = { multiplexing: [], switches: new Set() };

const isMarked = ({ isSwitch, switchValue }: DraftSignal): boolean =>
  isSwitch || switchValue !== null;

/**
 * Finds the switch of every multiplexed signal: the one that SG_MUL_VAL_ names, or else the only
 * one of the message. Where the file leaves it open, signals are always there.
 */
export const resolveMultiplexing = (
  message: DraftMessage,
  notes: ReadonlyMap<string, SignalNotes> | undefined,
  problems: DbcProblems,
): Dependencies => {
  const { signals } = message;
  const ruled = (name: string) => notes?.get(name)?.multiplexing ?? null;
  if (!signals.some((signal) => isMarked(signal) || ruled(signal.name) !== null)) {
    return independent;
  }
  const names = new Set(signals.map(({ name }) => name));
  const switches = new Set(signals.filter(({ isSwitch }) => isSwitch).map(({ name }) => name));
  const [onlySwitch] = switches.size === 1 ? switches : [];

  const bySwitchValue = (signal: DraftSignal): Multiplexing | null => {
    if (signal.switchValue === null) return null;
    if (onlySwitch !== undefined && onlySwitch !== signal.name) {
      const { switchValue: value } = signal;
      return { switch: onlySwitch, ranges: [{ from: value, to: value }] };
    }
    problems.warn(
      switches.size > 1 ? 'multiplexor_ambiguous' : 'multiplexor_missing',
      signal.at,
      `It is not said which switch signal ${shown(signal.name)} depends on`,
      'taken as always there',
    );
    return null;
  };

  const multiplexing = signals.map((signal) => {
    const rule = ruled(signal.name);
    if (rule === null) return bySwitchValue(signal);
    if (!names.has(rule.switch) || rule.switch === signal.name || rule.ranges.length === 0) {
      problems.warn(
        'multiplexing_unusable',
        rule.offset,
        `Signal ${shown(signal.name)} cannot depend on ${shown(rule.switch)} like this`,
        'SG_MUL_VAL_ left out',
      );
      return bySwitchValue(signal);
    }
    if (!switches.has(rule.switch) || signal.switchValue === null) {
      problems.warn(
        'multiplexing_unmarked',
        rule.offset,
        `SG_MUL_VAL_ of ${shown(signal.name)} does not agree with the marks of the signals`,
        'SG_MUL_VAL_ counts',
      );
      switches.add(rule.switch);
    }
    return { switch: rule.switch, ranges: rule.ranges };
  });
  cutEndless(message, multiplexing, problems);
  return { multiplexing, switches };
};

/** Frees signals that depend on themselves in a circle, or through too many switches. */
const cutEndless = (
  { signals }: DraftMessage,
  multiplexing: (Multiplexing | null)[],
  problems: DbcProblems,
): void => {
  const switchOf = new Map<string, string>();
  signals.forEach(({ name }, index) => {
    const parent = multiplexing[index]?.switch;
    if (parent !== undefined) switchOf.set(name, parent);
  });
  const isEndless = (name: string): boolean => {
    let parent = switchOf.get(name);
    for (let depth = 0; parent !== undefined; depth += 1) {
      if (depth >= deepestMultiplexing) return true;
      parent = switchOf.get(parent);
    }
    return false;
  };
  const endless = new Set(signals.map(({ name }) => name).filter(isEndless));
  signals.forEach(({ name, at }, index) => {
    if (!endless.has(name)) return;
    multiplexing[index] = null;
    problems.error(
      'multiplexing_endless',
      at,
      `Signal ${shown(name)} depends on itself or on too many switches in a row`,
      'taken as always there',
    );
  });
};
