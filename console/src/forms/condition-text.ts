import type { ApiError } from '../api/api-error.ts';
import type { ConditionReport } from '../api/client.ts';
import { counted, formatInstant, sentence } from '../format/figures.ts';

const before = 40;
const after = 24;

/** The text around an offset, and a caret under it. */
export const caretLines = (text: string, offset: number): string => {
  const from = Math.max(0, offset - before);
  const to = Math.min(text.length, offset + after);
  const start = from > 0 ? '…' : '';
  const end = to < text.length ? '…' : '';
  const shown = `${start}${text.slice(from, to)}${end}`;
  return `${shown}\n${' '.repeat(start.length + offset - from)}^`;
};

/** Offset of a refused condition in its text; null if the refusal is about something else. */
export const offsetOf = ({ details: { reason, offset } }: ApiError): number | null =>
  reason === 'condition' && typeof offset === 'number' ? offset : null;

/** The message of a refusal without the name of the field, which its label shows. */
export const refusalText = ({ message, details: { field } }: ApiError): string => {
  const start = `${field}: `;
  return sentence(message.startsWith(start) ? message.slice(start.length) : message);
};

type Term = ConditionReport['terms'][number];

const kinds: Readonly<Record<ConditionReport['kind'], string>> = {
  state: 'Fires when it becomes true',
  instant: 'Fires at every match',
};

export const kindText = ({ kind, holds }: ConditionReport): string =>
  holds === null ? `${kinds[kind]}.` : `${kinds[kind]}. It is ${holds ? 'true' : 'false'} now.`;

/** `error: SIM00001/0`, with the databases of its signal in brackets. */
export const termText = ({ term, channels, databases }: Term): string => {
  const watched = channels.length === 0 ? 'no open channel' : channels.join(', ');
  return `${term}: ${watched}${databases.length === 0 ? '' : ` (${databases.join(', ')})`}`;
};

const minuteUs = 60_000_000;

const spanText = ({ since_us, until_us }: ConditionReport): string => {
  const us = until_us - since_us;
  return us >= minuteUs
    ? 'in the last minute'
    : `in the last ${counted(Math.round(us / 1_000_000), 'second')}, as far as events are stored`;
};

export const firedText = (report: ConditionReport): string => {
  const { fired, last_fired_us: last, missed } = report;
  const times = fired === 0 ? 'Would not have fired' : `Would have fired ${counted(fired, 'time')}`;
  const latest = last === null ? '' : `; last at ${formatInstant(last)}`;
  const lost = missed === 0 ? '' : ` ${counted(missed, 'event')} could not be read.`;
  return `${times} ${spanText(report)}${latest}.${lost}`;
};
