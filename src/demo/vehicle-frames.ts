/**
 * Frame layouts of the demonstration vehicle. All signals are little-endian:
 * value = raw × factor + offset. Bits 0 to 3 of every frame are `AliveCounter`, which counts
 * frames modulo 16. Unused bits are 0.
 *
 * `powertrain` is a CAN FD bus (500 kbit/s and 2 Mbit/s, all frames with BRS), `body` a classic
 * CAN bus, `lin` a LIN bus with enhanced checksums. The LIN master writes WiperCommand and reads
 * the other two frames.
 *
 * `Gear` 0 is park. `Indicator` and `IndicatorLever`: 0 off, 1 left, 2 right. `Wiper` and
 * `WiperMode`: 0 off, 1 interval, 2 slow, 3 fast.
 */
import type { FrameLayout, SignalLayout } from './frame-layout.ts';
import type { VehicleState } from './vehicle-model.ts';

type Value = SignalLayout['of'];

/** Negative `bits` mean signed. */
const scaled = (
  name: string,
  startBit: number,
  bits: number,
  factor: number,
  offset: number,
  unit: string,
  of: Value,
): SignalLayout => ({
  name,
  startBit,
  bits: Math.abs(bits),
  signed: bits < 0,
  factor,
  offset,
  unit,
  of,
});

const coded = (name: string, startBit: number, bits: number, of: Value): SignalLayout =>
  scaled(name, startBit, bits, 1, 0, '', of);

const trackPerDegree = 0.0003;
const onTheRight = ({ speed, steeringAngle }: VehicleState): number =>
  speed * (1 + trackPerDegree * steeringAngle);
const onTheLeft = ({ speed, steeringAngle }: VehicleState): number =>
  speed * (1 - trackPerDegree * steeringAngle);
const brakes = ({ brakePressure }: VehicleState): number => (brakePressure > 0 ? 1 : 0);

const ms = 1000;

/** One frame, and then half of it for a diagnostic frame. */
export const linSlotUs = 20 * ms;

export const wiperCommand: FrameLayout = {
  name: 'WiperCommand',
  bus: 'lin',
  id: 0x11,
  length: 2,
  periodUs: 3 * linSlotUs,
  signals: [coded('WiperMode', 8, 2, ({ wiper }) => wiper)],
};

export const lightSwitch: FrameLayout = {
  name: 'LightSwitch',
  bus: 'lin',
  id: 0x21,
  length: 2,
  periodUs: 3 * linSlotUs,
  signals: [
    coded('LowBeamSwitch', 8, 1, ({ lowBeam }) => lowBeam),
    coded('IndicatorLever', 9, 2, ({ indicator }) => indicator),
  ],
};

export const rainSensor: FrameLayout = {
  name: 'RainSensor',
  bus: 'lin',
  id: 0x22,
  length: 4,
  periodUs: 3 * linSlotUs,
  signals: [
    scaled('RainIntensity', 8, 8, 0.5, 0, '%', ({ rain }) => rain),
    scaled('AmbientTemperature', 16, 8, 0.5, -40, '°C', (state) => state.outsideTemperature),
  ],
};

export const canFrames: readonly FrameLayout[] = [
  {
    name: 'Engine',
    bus: 'powertrain',
    id: 0x100,
    fd: true,
    length: 8,
    periodUs: 10 * ms,
    signals: [
      scaled('EngineSpeed', 8, 16, 0.25, 0, 'rpm', ({ engineRpm }) => engineRpm),
      scaled('Throttle', 24, 8, 0.5, 0, '%', ({ throttle }) => throttle),
      scaled('CoolantTemperature', 32, 8, 1, -40, '°C', (state) => state.coolantTemperature),
    ],
  },
  {
    name: 'Transmission',
    bus: 'powertrain',
    id: 0x110,
    fd: true,
    length: 8,
    periodUs: 20 * ms,
    signals: [
      coded('Gear', 4, 4, ({ gear }) => gear),
      scaled('VehicleSpeed', 8, 16, 0.01, 0, 'km/h', ({ speed }) => speed),
      scaled('Odometer', 24, 32, 0.001, 0, 'km', ({ odometer }) => odometer),
    ],
  },
  {
    name: 'Brake',
    bus: 'powertrain',
    id: 0x120,
    fd: true,
    length: 32,
    periodUs: 10 * ms,
    signals: [
      coded('BrakePedal', 4, 1, brakes),
      scaled('BrakePressure', 8, 16, 0.01, 0, 'bar', ({ brakePressure }) => brakePressure),
      scaled('WheelSpeedFL', 32, 16, 0.01, 0, 'km/h', onTheLeft),
      scaled('WheelSpeedFR', 48, 16, 0.01, 0, 'km/h', onTheRight),
      scaled('WheelSpeedRL', 64, 16, 0.01, 0, 'km/h', onTheLeft),
      scaled('WheelSpeedRR', 80, 16, 0.01, 0, 'km/h', onTheRight),
      scaled('Acceleration', 96, -16, 0.001, 0, 'm/s^2', ({ acceleration }) => acceleration),
    ],
  },
  {
    name: 'Steering',
    bus: 'powertrain',
    id: 0x130,
    fd: true,
    length: 8,
    periodUs: 20 * ms,
    signals: [scaled('SteeringAngle', 8, -16, 0.1, 0, 'deg', ({ steeringAngle }) => steeringAngle)],
  },
  {
    name: 'DoorsLights',
    bus: 'body',
    id: 0x300,
    length: 4,
    periodUs: 100 * ms,
    signals: [
      coded('DriverDoor', 8, 1, ({ driverDoor }) => driverDoor),
      coded('PassengerDoor', 9, 1, ({ passengerDoor }) => passengerDoor),
      coded('RearLeftDoor', 10, 1, ({ rearLeftDoor }) => rearLeftDoor),
      coded('RearRightDoor', 11, 1, ({ rearRightDoor }) => rearRightDoor),
      coded('Indicator', 16, 2, ({ indicator }) => indicator),
      coded('IndicatorLamp', 18, 1, ({ indicatorLamp }) => indicatorLamp),
      coded('LowBeam', 19, 1, ({ lowBeam }) => lowBeam),
      coded('BrakeLight', 20, 1, brakes),
      coded('Wiper', 24, 2, ({ wiper }) => wiper),
    ],
  },
  {
    name: 'Climate',
    bus: 'body',
    id: 0x310,
    length: 4,
    periodUs: 500 * ms,
    signals: [
      scaled('OutsideTemperature', 8, 8, 0.5, -40, '°C', (state) => state.outsideTemperature),
      scaled('HeaterTemperature', 16, 8, 1, -40, '°C', (state) => state.coolantTemperature),
    ],
  },
  {
    name: 'Battery',
    bus: 'body',
    id: 0x18ff50e5,
    extended: true,
    length: 8,
    periodUs: 100 * ms,
    signals: [
      scaled('BatteryVoltage', 8, 16, 0.001, 0, 'V', ({ batteryVoltage }) => batteryVoltage),
    ],
  },
];
