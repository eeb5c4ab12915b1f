import { AsciiFraming } from './ascii-framing.ts';
import type { Side } from './echo-filter.ts';
import type { FrameReceiver, Framing } from './framing.ts';
import { RtuFraming } from './rtu-framing.ts';
import { adapterDelayUs, defaultGapUs, rtuSilenceUs, streamSilenceUs } from './serial-timing.ts';

export interface SerialFramingOptions {
  readonly kind: 'rtu' | 'ascii';
  readonly side: Side;
  readonly baudRate: number;
  readonly gapMs?: number | undefined;
}

export const createSerialFraming = (
  receiver: FrameReceiver,
  { kind, side, baudRate, gapMs }: SerialFramingOptions,
): Framing => {
  const gapUs = gapMs === undefined ? defaultGapUs[kind] : 1000 * gapMs;
  if (kind === 'ascii') return new AsciiFraming(receiver, { side, gapUs });
  const silenceUs = rtuSilenceUs(baudRate) + adapterDelayUs;
  return new RtuFraming(receiver, { side, silenceUs, gapUs });
};

/** RTU framing over TCP, which may split frames anywhere. */
export const createStreamFraming = (
  receiver: FrameReceiver,
  { side, gapMs }: Pick<SerialFramingOptions, 'side' | 'gapMs'>,
): Framing => {
  const gapUs = gapMs === undefined ? streamSilenceUs : 1000 * gapMs;
  return new RtuFraming(receiver, { side, silenceUs: gapUs, gapUs, endsWithChunk: true });
};
