import { describe, expect, it } from 'vitest';
import { dlcToLength } from '../frame/dlc.ts';
import { FrameEncoder, type FrameLayout } from './frame-layout.ts';
import { readAlive, readSignal } from './testing/read-signal.ts';
import { canFrames, lightSwitch, rainSensor, wiperCommand } from './vehicle-frames.ts';
import { VehicleModel } from './vehicle-model.ts';

const vehicleFrames: readonly FrameLayout[] = [...canFrames, wiperCommand, lightSwitch, rainSensor];

const hexOf = ({ data }: FrameEncoder) => Buffer.from(data).toString('hex');

const layoutOf = (name: string): FrameLayout => {
  const layout = vehicleFrames.find((candidate) => candidate.name === name);
  if (!layout) throw new RangeError(`No frame ${name}`);
  return layout;
};

/** A negative number of bits means a signed value, in two's complement. */
const documented = `
| frame        | bus        | id         | bytes | every  | signal             | start | bits | factor | offset | unit  |
| Engine       | powertrain | 0x100      | 8     | 10 ms  | EngineSpeed        | 8     | 16   | 0.25   | 0      | rpm   |
| Engine       | powertrain | 0x100      | 8     | 10 ms  | Throttle           | 24    | 8    | 0.5    | 0      | %     |
| Engine       | powertrain | 0x100      | 8     | 10 ms  | CoolantTemperature | 32    | 8    | 1      | -40    | °C    |
| Transmission | powertrain | 0x110      | 8     | 20 ms  | Gear               | 4     | 4    | 1      | 0      |       |
| Transmission | powertrain | 0x110      | 8     | 20 ms  | VehicleSpeed       | 8     | 16   | 0.01   | 0      | km/h  |
| Transmission | powertrain | 0x110      | 8     | 20 ms  | Odometer           | 24    | 32   | 0.001  | 0      | km    |
| Brake        | powertrain | 0x120      | 32    | 10 ms  | BrakePedal         | 4     | 1    | 1      | 0      |       |
| Brake        | powertrain | 0x120      | 32    | 10 ms  | BrakePressure      | 8     | 16   | 0.01   | 0      | bar   |
| Brake        | powertrain | 0x120      | 32    | 10 ms  | WheelSpeedFL       | 32    | 16   | 0.01   | 0      | km/h  |
| Brake        | powertrain | 0x120      | 32    | 10 ms  | WheelSpeedFR       | 48    | 16   | 0.01   | 0      | km/h  |
| Brake        | powertrain | 0x120      | 32    | 10 ms  | WheelSpeedRL       | 64    | 16   | 0.01   | 0      | km/h  |
| Brake        | powertrain | 0x120      | 32    | 10 ms  | WheelSpeedRR       | 80    | 16   | 0.01   | 0      | km/h  |
| Brake        | powertrain | 0x120      | 32    | 10 ms  | Acceleration       | 96    | -16  | 0.001  | 0      | m/s^2 |
| Steering     | powertrain | 0x130      | 8     | 20 ms  | SteeringAngle      | 8     | -16  | 0.1    | 0      | deg   |
| DoorsLights  | body       | 0x300      | 4     | 100 ms | DriverDoor         | 8     | 1    | 1      | 0      |       |
| DoorsLights  | body       | 0x300      | 4     | 100 ms | PassengerDoor      | 9     | 1    | 1      | 0      |       |
| DoorsLights  | body       | 0x300      | 4     | 100 ms | RearLeftDoor       | 10    | 1    | 1      | 0      |       |
| DoorsLights  | body       | 0x300      | 4     | 100 ms | RearRightDoor      | 11    | 1    | 1      | 0      |       |
| DoorsLights  | body       | 0x300      | 4     | 100 ms | Indicator          | 16    | 2    | 1      | 0      |       |
| DoorsLights  | body       | 0x300      | 4     | 100 ms | IndicatorLamp      | 18    | 1    | 1      | 0      |       |
| DoorsLights  | body       | 0x300      | 4     | 100 ms | LowBeam            | 19    | 1    | 1      | 0      |       |
| DoorsLights  | body       | 0x300      | 4     | 100 ms | BrakeLight         | 20    | 1    | 1      | 0      |       |
| DoorsLights  | body       | 0x300      | 4     | 100 ms | Wiper              | 24    | 2    | 1      | 0      |       |
| Climate      | body       | 0x310      | 4     | 500 ms | OutsideTemperature | 8     | 8    | 0.5    | -40    | °C    |
| Climate      | body       | 0x310      | 4     | 500 ms | HeaterTemperature  | 16    | 8    | 1      | -40    | °C    |
| Battery      | body       | 0x18FF50E5 | 8     | 100 ms | BatteryVoltage     | 8     | 16   | 0.001  | 0      | V     |
| WiperCommand | lin        | 0x11       | 2     | 60 ms  | WiperMode          | 8     | 2    | 1      | 0      |       |
| LightSwitch  | lin        | 0x21       | 2     | 60 ms  | LowBeamSwitch      | 8     | 1    | 1      | 0      |       |
| LightSwitch  | lin        | 0x21       | 2     | 60 ms  | IndicatorLever     | 9     | 2    | 1      | 0      |       |
| RainSensor   | lin        | 0x22       | 4     | 60 ms  | RainIntensity      | 8     | 8    | 0.5    | 0      | %     |
| RainSensor   | lin        | 0x22       | 4     | 60 ms  | AmbientTemperature | 16    | 8    | 0.5    | -40    | °C    |
`
  .split('\n')
  .slice(2, -1)
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
  it('have the documented layout', () => {
    expect(declared()).toEqual(documented);
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
