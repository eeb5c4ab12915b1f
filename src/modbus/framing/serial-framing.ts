import { AsciiFraming } from './ascii-framing.ts';
import type { Side } from './echo-filter.ts';
import type { FrameReceiver, Framing } from './framing.ts';
import { RtuFraming } from './rtu-framing.ts';

const bitsPerCharacter = 11;

/** Above this baud rate the silence is constant, because no timer is precise enough. */
const fastestTimedBaud = 19_200;
const minSilenceUs = 1750;

/** Silence that ends an RTU frame: 3.5 characters (serial line guide 2.5.1.1). */
export const rtuSilenceUs = (baud: number): number =>
  baud > fastestTimedBaud ? minSilenceUs : Math.ceil((3.5 * bitsPerCharacter * 1_000_000) / baud);

/** USB adapters buffer bytes for up to this time, which causes gaps inside frames. */
const adapterDelayUs = 16_000;

/**
 * Silence that ends an RTU frame over TCP, which may split it anywhere and retransmits after
 * some hundred milliseconds.
 */
export const streamSilenceUs = 500_000;

/**
 * Default maximum gap inside a frame. RTU specifies 1.5 characters, but adapters, serial
 * servers and busy devices pause for longer. libmodbus waits this long too.
 */
export const defaultGapUs = { rtu: 500_000, ascii: 1_000_000 } as const;

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
