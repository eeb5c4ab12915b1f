import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ErrorCode } from '../../base/errors/table.ts';

const busOffHint = 'busbar channel recover {channel} brings it back once the cause is fixed.';

const placeholder = /\{([a-z_]+)\}/g;

/** What can be said where a hint cannot be filled in. */
const general: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_argument: 'busbar help lists all commands.',
  channel_not_open: 'busbar channel list shows those that are open.',
};

/** Words that a shell takes as they are; others are not worth quoting in a hint. */
const plainWord = /^[\w./:@%+=-]+$/;

/**
 * What to do about a failure, with the command that failed and the names that it was given in their
 * places; null where there is nothing to say.
 */
export const hintOf = (
  error: BusbarError,
  command: readonly string[] | undefined,
): string | null => {
  const { details } = error;
  const isBusOff = error.code === 'channel_cannot_send' && details.reason === 'bus_off';
  const hint = isBusOff ? busOffHint : error.hint;
  if (hint === undefined) return null;
  // A slot is given by opening, so that nothing can be opened by it.
  const channel = details.selector_kind === 'slot' ? undefined : details.channel;
  const facts: Record<string, unknown> = { ...details, channel, command: command?.join(' ') };
  let isComplete = true;
  const filled = hint.replace(placeholder, (_, name: string) => {
    const fact = facts[name];
    const isKnown = typeof fact === 'string' && (name === 'command' || plainWord.test(fact));
    if (!isKnown) isComplete = false;
    return String(fact);
  });
  return isComplete ? filled : (general[error.code] ?? null);
};
