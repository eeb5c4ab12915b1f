import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { bitRateOfText } from '../../frame/bit-rate-text.ts';
import type { BusRates } from '../rules/load-evaluator.ts';

/** Bit rates of a channel; null for all others. */
export interface ChosenRates extends BusRates {
  readonly channel: string | null;
}

const highestRate = 20_000_000;

const rateOf = (text: string): number | null => {
  const rate = bitRateOfText(text);
  return rate === undefined || rate === 0 || rate > highestRate ? null : rate;
};

/** Parses `500k`, `500000/2M` or `500k/2M@1`. */
export const readRates = (texts: readonly string[]): readonly ChosenRates[] => {
  const found = texts.map((text): ChosenRates => {
    const at = text.indexOf('@');
    const channel = at < 0 ? null : text.slice(at + 1);
    const [first = '', second, ...rest] = (at < 0 ? text : text.slice(0, at)).split('/');
    const bitrate = rateOf(first);
    const dataBitrate = second === undefined ? null : rateOf(second);
    const isWrong = (second !== undefined && dataBitrate === null) || rest.length > 0;
    if (bitrate === null || isWrong || channel === '') {
      throw invalidArgument(
        'bitrate',
        `bitrate must be a bit rate such as 500000, 500k/2M or 500k/2M@1: ${text}`,
        { reason: 'invalid_bitrate', value: text },
      );
    }
    return { channel, bitrate, dataBitrate };
  });
  const repeated = found.find(
    ({ channel }, index) => found.findIndex((other) => other.channel === channel) < index,
  );
  if (repeated === undefined) return found;
  const whose = repeated.channel === null ? 'all channels' : `channel ${repeated.channel}`;
  throw invalidArgument('bitrate', `bitrate has several rates of ${whose}`, { reason: 'repeated' });
};
