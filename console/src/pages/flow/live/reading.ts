import type { GatewayInstance, GatewaySignal, GatewayTask } from '../../../api/client.ts';

/**
 * From `idle` (unknown, or the instance does not run) to `broken` (not received, or not sendable).
 */
export const tones = ['idle', 'good', 'awaited', 'broken'] as const;
export type Tone = (typeof tones)[number];

export interface Reading {
  readonly tone: Tone;
  readonly reason: string | null;
  readonly message: string | null;
}

const good: Reading = { tone: 'good', reason: null, message: null };
export const idle: Reading = { tone: 'idle', reason: null, message: null };

type Quality = GatewaySignal['quality'];

export const inputInvalid = 'input invalid';

const reasons: Readonly<Record<Exclude<Quality, 'good'>, string>> = {
  initial: 'no value yet',
  timeout: 'timeout',
  disconnected: 'link down',
  invalid: 'invalid',
  not_available: 'not available',
  error: 'error',
  e2e_error: 'E2E error',
  transform_error: 'transform error',
  skew: 'skew',
  expired: 'expired',
  input_invalid: inputInvalid,
};

const held: Reading = { ...idle, reason: 'held' };

/** Signals of a stopped instance are idle, regardless of their quality. */
export const signalReading = (entry: GatewaySignal | null, isRunning: boolean): Reading => {
  if (!entry) return idle;
  const { quality, error } = entry;
  if (!isRunning) return entry.value === null ? idle : held;
  if (quality === 'good') return good;
  const tone = quality === 'initial' ? 'awaited' : 'broken';
  return { tone, reason: reasons[quality], message: error?.message ?? null };
};

export const bindingError = (entry: GatewaySignal | null, binding: string): Reading | null => {
  const error = entry?.bindings.find(({ id }) => id === binding)?.error;
  if (!error) return null;
  const reason = error.code.replaceAll('_', ' ');
  return { tone: 'broken', reason, message: error.message };
};

export const taskReading = (task: GatewayTask | null, isRunning: boolean): Reading => {
  if (task?.error) {
    const { code, message } = task.error;
    return { tone: 'broken', reason: code.replaceAll('_', ' '), message };
  }
  return task && isRunning ? good : idle;
};

type Endpoint = GatewayInstance['endpoints'][number];

export const endpointReading = (endpoint: Endpoint | null, isRunning: boolean): Reading => {
  if (!endpoint || !isRunning) return idle;
  const message = endpoint.error?.message ?? null;
  return endpoint.connected && !message ? good : { tone: 'broken', reason: 'link down', message };
};

const maxDigits = 8;

const shortNumber = (value: string): string => {
  if (value.length <= maxDigits) return value;
  const point = value.indexOf('.');
  if (/^-?\d+\.\d+$/.test(value) && point <= maxDigits) {
    const cut = value.slice(0, Math.max(point + 2, maxDigits));
    return cut.length < value.length ? `${cut}…` : value;
  }
  const fits = point < 0 && value.length <= maxDigits + 3;
  return fits ? value : `≈ ${Number(value).toExponential(3)}`;
};

export const shortValue = ({ value, label, unit }: GatewaySignal): string => {
  if (value === null) return '–';
  if (label !== null) return label;
  return `${shortNumber(value)}${unit === null ? '' : ` ${unit}`}`;
};
