import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Message } from '../../database/model.ts';
import {
  findUnmatched,
  parseSignalPattern,
  type SignalPattern,
} from '../../signal/signal-pattern.ts';

const field = 'signals';

/** Checks what needs no database. */
export const parseChosenPatterns = (texts: readonly string[] | null): readonly SignalPattern[] =>
  (texts ?? []).map((text) => {
    const pattern = parseSignalPattern(text);
    const isEmpty = pattern.message.join() === '' || pattern.signal.join() === '';
    if (text.includes('.') && !isEmpty) return pattern;
    throw invalidArgument(field, `${text} is not Message.Signal; * stands for any part of a name`, {
      reason: 'invalid_pattern',
      pattern: text,
    });
  });

/** Every pattern must match a signal of some message. */
export const checkChosenPatterns = (
  patterns: readonly SignalPattern[],
  messages: readonly Message[],
): void => {
  const unmatched = findUnmatched(
    patterns,
    messages.map(({ name, signals }) => ({
      name,
      signalNames: () => signals.map((one) => one.name),
    })),
  );
  if (unmatched === null) return;
  const { pattern, missing, name, nearest } = unmatched;
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
  throw new BusbarError(missing === 'message' ? 'message_not_found' : 'signal_not_found', {
    message: `No database has a ${missing} ${name}${hint}`,
    details: { field, pattern: pattern.text, nearest },
  });
};
