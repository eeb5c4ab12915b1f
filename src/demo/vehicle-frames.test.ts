import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dlcToLength } from '../frame/dlc.ts';
import { FrameEncoder, type FrameLayout } from './frame-layout.ts';
import { readAlive, readSignal } from './testing/read-signal.ts';
import { vehicleFrames } from './vehicle-frames.ts';
import { VehicleModel } from './vehicle-model.ts';

const hexOf = ({ data }: FrameEncoder) => Buffer.from(data).toString('hex');

const layoutOf = (name: string): FrameLayout => {
  const layout = vehicleFrames.find((candidate) => candidate.name === name);
  if (!layout) throw new RangeError(`No frame ${name}`);
  return layout;
};

/** The rows of the table that the file begins with. */
const documented = (): string[] =>
  readFileSync(new URL('./vehicle-frames.ts', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^ \* \| [A-Z]/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
        .join(' | '),
    );

const declared = (): string[] =>
  vehicleFrames.flatMap(({ name, bus, id, length, periodUs, signals }) =>
    signals.map(({ name: signal, startBit, bits, signed, factor, offset, unit }) =>
      [
        name,
        bus,
        `0x${id.toString(16).toUpperCase()}`,
        length,
        `${periodUs / 1000} ms`,
        signal,
        startBit,
        signed ? -bits : bits,
        factor,
        offset,
        unit,
      ].join(' | '),
    ),
  );

describe('the frames of the vehicle', () => {
  it('are what their table says', () => {
    expect(documented()).toEqual(declared());
  });

  it.each(vehicleFrames)('$name has room for its signals, none over another', (layout) => {
    const { dlc } = new FrameEncoder(layout);
    expect(dlcToLength(dlc, layout.fd ?? false)).toBe(layout.length);
    const taken = new Set([0, 1, 2, 3]);
    for (const { startBit, bits } of layout.signals) {
      for (let bit = startBit; bit < startBit + bits; bit++) {
        expect(taken.has(bit)).toBe(false);
        taken.add(bit);
      }
    }
    expect(Math.max(...taken)).toBeLessThan(8 * layout.length);
  });

  it.each(vehicleFrames)('$name carries the state to within half a step', (layout) => {
    const encoder = new FrameEncoder(layout);
    const model = new VehicleModel();
    for (let atS = 0; atS < 200; atS += 0.73) {
      const state = model.advance(atS * 1e6);
      encoder.encode(state);
      for (const signal of layout.signals) {
        const error = readSignal(layout, signal.name, hexOf(encoder)) - signal.of(state);
        expect(Math.abs(error)).toBeLessThanOrEqual(signal.factor / 2 + 1e-9);
      }
    }
  });

  it('count themselves, from 15 back to 0', () => {
    const encoder = new FrameEncoder(layoutOf('Brake'));
    const state = new VehicleModel().advance(0);
    const counted = Array.from({ length: 18 }, () => {
      encoder.encode(state);
      return readAlive(hexOf(encoder));
    });
    expect(counted).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1]);
  });

  it('put known bytes on the bus', () => {
    const encoder = new FrameEncoder(layoutOf('Steering'));
    encoder.encode({ ...new VehicleModel().advance(0), steeringAngle: -12.3 });
    expect(hexOf(encoder)).toBe('0085ff0000000000');
  });

  it.each([
    ['SteeringAngle', 'Steering', { steeringAngle: 1e9 }, 3276.7],
    ['SteeringAngle', 'Steering', { steeringAngle: -1e9 }, -3276.8],
    ['CoolantTemperature', 'Engine', { coolantTemperature: -300 }, -40],
    ['CoolantTemperature', 'Engine', { coolantTemperature: 300 }, 215],
    ['Odometer', 'Transmission', { odometer: 1e9 }, 4294967.295],
  ])('hold %s to what fits', (name, frame, extreme, expected) => {
    const layout = layoutOf(frame);
    const encoder = new FrameEncoder(layout);
    encoder.encode({ ...new VehicleModel().advance(0), ...extreme });
    expect(readSignal(layout, name, hexOf(encoder))).toBeCloseTo(expected, 6);
  });
});
