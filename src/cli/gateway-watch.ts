import type { GatewaySignal } from '../gateway/instances/instance-record.ts';
import { lineStream, lineTime } from './line-stream.ts';

/** `(1699999999.123456)  pump  55 %`, with the quality unless it is good. */
const textLine = ({ id, value, label, unit, quality, observed_us }: GatewaySignal): string => {
  const amount = [value ?? '-', unit, label === null ? '' : `"${label}"`].filter(Boolean).join(' ');
  const mark = quality === 'good' ? '' : `  (${quality})`;
  const time = observed_us === null ? '(never)' : lineTime(observed_us);
  return `${time}  ${id}  ${amount}${mark}\n`;
};

export const watchInstance = lineStream({ text: textLine });
