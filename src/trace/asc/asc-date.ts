import { firstYear } from '../trace-start.ts';

/**
 * Dates in ASC files are local time without a zone, in the language of the logging program. A
 * file from another time zone is off by the difference.
 */

const monthBeginnings: readonly (readonly string[])[] = [
  ['jan', 'ene', 'gen', 'sty'],
  ['feb', 'fev', 'lut'],
  ['mar', 'mrz', 'mrt'],
  ['apr', 'abr', 'avr', 'kwi'],
  ['may', 'mai', 'mag', 'mei', 'maj'],
  ['jun', 'juin', 'giu', 'cze'],
  ['jul', 'juil', 'lug', 'lip'],
  ['aug', 'ago', 'aou', 'sie'],
  ['sep', 'set', 'wrz'],
  ['oct', 'okt', 'ott', 'out', 'paz'],
  ['nov', 'lis'],
  ['dec', 'dez', 'dic', 'des', 'gru'],
];

const accents = /\p{M}/gu;
const clockTime = /^(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?([ap]m)?$/i;
const halfOfDay = /^[ap]m$/i;
const dayNumber = /^(\d{1,2})\.?$/;
const yearNumber = /^\d{4}$/;
const word = /^\p{L}/u;

const monthOf = (name: string): number => {
  const plain = name.normalize('NFD').replace(accents, '').toLowerCase();
  return monthBeginnings.findIndex((beginnings) =>
    beginnings.some((beginning) => plain.startsWith(beginning)),
  );
};

/** Some tools write am or pm after a 24-hour time; the hour is then used unchanged. */
const hourOf = (hour: number, half: string | undefined): number => {
  if (half === undefined || hour < 1 || hour > 12) return hour;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
};

export const parseAscDate = (text: string): number | null => {
  const tokens = text.trim().split(/\s+/);
  const time = tokens.map((token) => clockTime.exec(token)).find((match) => match !== null);
  const day = tokens.map((token) => dayNumber.exec(token)).find((match) => match !== null);
  const year = tokens.find((token) => yearNumber.test(token));
  const half = time?.[5] ?? tokens.find((token) => halfOfDay.test(token));
  // The weekday comes first and equals a month's name in some languages.
  const name = tokens.findLast((token) => word.test(token) && !halfOfDay.test(token));
  const month = name === undefined ? -1 : monthOf(name);
  if (!time || !day || year === undefined || month < 0) return null;
  if (Number(year) < firstYear) return null;
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3])];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(Number(year), month, Number(day[1]), hourOf(hour, half), minute, second);
  if (date.getMonth() !== month) return null;
  return date.getTime() * 1000 + Math.floor(Number(`0.${time[4] ?? 0}`) * 1e6 + 0.5);
};

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

export const formatAscDate = (unixUs: number): string => {
  const date = new Date(Math.floor(unixUs / 1000));
  const padded = (value: number, width = 2): string => String(value).padStart(width, '0');
  const hour = date.getHours();
  const clock = `${padded(hour % 12 || 12)}:${padded(date.getMinutes())}:${padded(date.getSeconds())}`;
  return [
    weekdays[date.getDay()],
    months[date.getMonth()],
    padded(date.getDate()),
    `${clock}.${padded(date.getMilliseconds(), 3)}`,
    hour < 12 ? 'am' : 'pm',
    date.getFullYear(),
  ].join(' ');
};
