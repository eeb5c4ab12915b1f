const counts = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

export const formatDecimal = (value: number): string => decimals.format(value);

export const formatCount = (value: number): string => counts.format(value);

export const counted = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

export const sentence = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

const tableDigits = 15;

/** Shortens floats with more digits than a double has; other numbers stay exact. */
export const formatNumber = (text: string): string => {
  const [digits = '', exponent] = text.split(/e/i);
  const isFloat = exponent !== undefined || digits.includes('.');
  const count = digits.replaceAll(/^-?0*\.?0*|\D/g, '').length;
  return isFloat && count > tableDigits
    ? String(Number(Number(text).toPrecision(tableDigits)))
    : text;
};

export const formatTime = (date: Date): string => clock.format(date);

export const formatMicroseconds = (us: number): string => {
  // Rounding can carry into the next unit: 999.7 ms is 1.00 s.
  if (us < 9.95) return `${us.toFixed(1)} µs`;
  if (us < 999.5) return `${us.toFixed(0)} µs`;
  if (us < 999_500) return `${Math.max(1, us / 1000).toPrecision(3)} ms`;
  return `${(us / 1_000_000).toFixed(2)} s`;
};

export const formatUptime = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const face = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const days = Math.floor(whole / 86_400);
  return days > 0 ? `${formatCount(days)} d ${face}` : face;
};

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

export const formatBytes = (bytes: number): string => {
  let power = 0;
  // Rounded before the comparison, so that 1024 KiB is shown as 1 MiB.
  const size = (): number => Math.round((bytes / 1024 ** power) * 10) / 10;
  while (size() >= 1024 && power < byteUnits.length - 1) power += 1;
  const isWhole = Number.isInteger(bytes / 1024 ** power);
  return `${isWhole ? size() : size().toFixed(1)} ${byteUnits[power]}`;
};

export const formatRate = (value: number): string =>
  value === 0 || value >= 9.95 ? formatCount(value) : value.toFixed(1);

export const formatBitrate = (bitsPerSecond: number): string =>
  bitsPerSecond < 1_000_000
    ? `${bitsPerSecond / 1000} kbit/s`
    : `${bitsPerSecond / 1_000_000} Mbit/s`;

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

export const formatInstant = (us: number, digits: 3 | 6 = 3): string => {
  const date = new Date(us / 1000);
  const face = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const micros = Math.floor(us % 1_000_000);
  const fraction = digits === 6 ? padded(micros, 6) : padded(Math.floor(micros / 1000), 3);
  return `${face.map((part) => padded(part, 2)).join(':')}.${fraction}`;
};

/** Uses one unit, so that ages are easy to compare. */
export const formatAge = (atUs: number | null, nowUs: number): string => {
  if (atUs === null) return 'never';
  const seconds = Math.max(0, nowUs - atUs) / 1_000_000;
  if (seconds < 1) return '< 1 s';
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
};
