import type { BusbarError, ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { ErrorCode } from '../../base/errors/table.ts';
import { isJsonObject } from '../../base/json/json-value.ts';
import { printable } from '../../base/printable.ts';
import type { OutputFormat } from '../../operations/global-options.ts';
import { type FailedCommand, messageOnLine, withOptionNames } from './option-names.ts';
import type { Palette } from './palette.ts';

const busOffHint = 'busbar channel recover {channel} brings it back once the cause is fixed.';

const placeholder = /\{([a-z_]+)\}/g;

/** Hints without placeholders. */
const general: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_argument: 'busbar help lists all commands.',
  channel_not_open: 'busbar channel list shows the open channels.',
};

const plainWord = /^[\w./:@%+=-]+$/;

/** The hint of an error with its placeholders filled in, or null. */
const hintOf = (error: BusbarError, command: readonly string[] | undefined): string | null => {
  const { details } = error;
  const isBusOff = error.code === 'channel_cannot_send' && details.reason === 'bus_off';
  const hint = isBusOff ? busOffHint : error.hint;
  if (hint === undefined) return null;
  // A slot is assigned when a channel opens, so it cannot select a port to open.
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

const shownDetails = [
  ...['minimum', 'maximum', 'min', 'max', 'limit', 'allowed', 'nearest', 'line', 'column'],
  ...['exception', 'wrong', 'received', 'instance', 'plugin', 'owner', 'problems', 'conflicts'],
];

const maxListed = 20;

const busId = /(^|_)id$/;

const cellText = (key: string, value: unknown): string => {
  if (isJsonObject(value)) return entryText(value);
  const isId = typeof value === 'number' && busId.test(key);
  return isId ? value.toString(16).toUpperCase() : String(value);
};

const entryText = (entry: unknown): string => {
  if (!isJsonObject(entry)) return String(entry);
  if (typeof entry.message === 'string') return entry.message;
  return Object.entries(entry)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key.replaceAll('_', ' ')} ${cellText(key, value)}`)
    .join(', ');
};

const detailLines = (
  name: string,
  { details, message, row }: BusbarError,
  given: FailedCommand['given'] = {},
): string[] => {
  const value = details[name];
  if (value === undefined || value === null || Object.values(given).includes(value)) return [];
  const entries = (Array.isArray(value) ? value : [value]).map(entryText);
  const unreported = entries.filter((entry) => !message.includes(entry));
  if (unreported.length === 0) return [];
  if (!Array.isArray(value) || !value.some(isJsonObject)) return [`${name}: ${entries.join(', ')}`];
  // The message describes the only entry.
  if (entries.length === 1 && message !== row.message) return [];
  const total = typeof details.total === 'number' ? details.total : entries.length;
  const listed = unreported.slice(0, maxListed);
  const left = total - (entries.length - unreported.length) - listed.length;
  return [...listed.map((entry) => `- ${entry}`), ...(left > 0 ? [`- and ${left} more`] : [])];
};

const shownAround = 36;

/** The argument that a field such as `check[0]` or `trigger.start` names. */
const argumentAt = (field: string, given: Readonly<Record<string, unknown>>): unknown =>
  field
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      given,
    );

/** The text of a field with a mark below the place that is wrong. */
const placeLines = (
  { field, offset, expected, path }: ErrorDetails,
  given: FailedCommand['given'] = {},
): string[] => {
  const text = typeof field === 'string' ? argumentAt(field, given) : undefined;
  if (typeof text !== 'string' || typeof offset !== 'number') return [];
  // The place is in a file that the argument names.
  if (path !== undefined) return [];
  if (typeof expected !== 'string') return [];
  const from = Math.max(0, offset - shownAround);
  const until = offset + shownAround;
  const cut = text.slice(from, until).replaceAll(/[\p{C}\s]/gu, ' ');
  const head = from > 0 ? '…' : '';
  const shown = `${head}${cut}${until < text.length ? '…' : ''}`;
  return [shown.trimEnd(), `${' '.repeat(head.length + offset - from)}^`];
};

/** Formats an error for stderr: code, message, details and hint, as text or JSON. */
export const renderError = (
  format: OutputFormat,
  error: BusbarError,
  palette: Palette,
  command?: FailedCommand,
): string => {
  const { details } = error;
  const filled = hintOf(error, command?.words);
  const hint = command && filled !== null ? withOptionNames(command, filled) : filled;
  const message = command ? messageOnLine(command, error.message, details) : error.message;
  if (format === 'json' || format === 'jsonl') {
    const record = { error: { ...error.toRecord(), message, details, hint } };
    return `${JSON.stringify(record, null, format === 'json' ? 2 : undefined)}\n`;
  }
  const lines = [
    `${palette.bad('busbar:')} ${palette.strong(error.code)}: ${printable(message)}`,
    ...placeLines(details, command?.given).map((line) => `  ${line}`),
    ...shownDetails
      .flatMap((name) => detailLines(name, error, command?.given))
      .map((line) => `  ${printable(line)}`),
    ...(hint ? [`  ${palette.faint('hint:')} ${printable(hint)}`] : []),
  ];
  return `${lines.join('\n')}\n`;
};
