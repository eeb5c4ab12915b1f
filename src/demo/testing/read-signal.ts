import type { FrameLayout } from '../frame-layout.ts';

/**
 * The physical value of a signal in a frame written as hex, computed the slow and obvious way.
 */
export const readSignal = (layout: FrameLayout, name: string, hex: string): number => {
  const signal = layout.signals.find((candidate) => candidate.name === name);
  if (!signal) throw new RangeError(`${layout.name} has no signal ${name}`);
  const bytes = Buffer.from(hex, 'hex').reverse();
  const whole = BigInt(`0x${bytes.toString('hex')}`) >> BigInt(signal.startBit);
  const raw = signal.signed
    ? BigInt.asIntN(signal.bits, whole)
    : BigInt.asUintN(signal.bits, whole);
  return Number(raw) * signal.factor + signal.offset;
};

/** The alive counter of a frame written as hex. */
export const readAlive = (hex: string): number => Number.parseInt(hex.charAt(1), 16);
