import { compareDecimals, requireDecimal } from '../../base/decimal/decimal.ts';
import { isFloat, LinearEncoder, type LinearFormat, scaleOf } from '../codecs/encode-linear.ts';
import type { ImageReader } from './image-reader.ts';
import type { SignalRulesRecord } from './signal-rules-record.ts';

/**
 * Maximum labels and bytes in one response. Further labels are only counted; the first is
 * always included.
 */
const maxLabels = 1000;
const maxLabelBytes = 512 * 1024;

const limitsOf = (format: LinearFormat): readonly [string | null, string | null] => {
  const { least, max: most } = new LinearEncoder(format);
  const scale = scaleOf(format);
  const textOf = (raw: number | bigint): string | null => {
    if (!isFloat(format.raw)) return scale.textOf(raw);
    return Number.isFinite(raw) ? scale.textOfFloat(Number(raw)) : null;
  };
  const limits = [textOf(least), textOf(most)] as const;
  return format.factor < 0 ? [limits[1], limits[0]] : limits;
};

const tighter = (one: string | null, other: string | null, sign: 1 | -1): string | null => {
  if (one === null || other === null) return one ?? other;
  const order = compareDecimals(requireDecimal(one, 'value'), requireDecimal(other, 'value'));
  return order * sign > 0 ? one : other;
};

type Labels = ReturnType<ImageReader['labels']>;

const labelRoom = (labels: Labels): number => {
  let room = maxLabelBytes;
  const first = labels.slice(0, maxLabels);
  const beyond = first.findIndex((label) => {
    room -= Buffer.byteLength(JSON.stringify(label)) + 1;
    return room < 0;
  });
  return beyond < 0 ? first.length : beyond;
};

export const signalRules = (reader: ImageReader, signal: number): SignalRulesRecord => {
  let minimum: string | null = null;
  let maximum: string | null = null;
  const end = reader.firstShown(signal + 1);
  for (let shown = reader.firstShown(signal); shown < end; shown++) {
    const [least, max] = limitsOf(reader.format(reader.codecOf(shown)));
    minimum = tighter(minimum, least, 1);
    maximum = tighter(maximum, max, -1);
  }
  const labels = reader.labels(signal);
  const shown = labels.slice(0, labelRoom(labels));
  return { minimum, maximum, label_total: labels.length, labels: shown };
};
