export const formatAge = (us: number): string => {
  const seconds = Math.max(0, us) / 1_000_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return '1 min 0 s';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
};

export const formatMean = (value: number | null): string => {
  if (value === null) return '–';
  const size = Math.abs(value);
  // Sums of larger numbers have already lost digits.
  if (size >= 1e9) return `≈${value.toExponential(5)}`;
  const shown = size < 1e6 ? Number(value.toPrecision(6)) : Math.round(value);
  return shown === value ? String(shown) : `≈${shown}`;
};

const legible = 9;

export const formatValue = (text: string): string => {
  if (!/^-?\d+\.\d+$/.test(text)) return text;
  const shown = String(Number(Number(text).toPrecision(legible)));
  return Number(shown) === Number(text) ? text : `≈${shown}`;
};

const digitsFor = (step: number): number =>
  Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));

export const formatTick = (instantUs: number, stepSeconds: number): string => {
  const us = Math.round(instantUs);
  const date = new Date(Math.floor(us / 1000));
  const face = [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const digits = digitsFor(stepSeconds);
  if (digits === 0) return face;
  const micros = String(us % 1_000_000).padStart(6, '0');
  return `${face}.${micros.slice(0, digits)}`;
};
