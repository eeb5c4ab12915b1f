import { wiperSetpoint } from './demo-registers.ts';
import type { SignalLayout } from './frame-layout.ts';
import { wiper } from './vehicle-model.ts';
import { wiperRequest } from './wiper-request.ts';

export interface OutputCodec {
  readonly bits: number;
  readonly factor?: number;
  readonly offset?: number;
  readonly rawMax?: number;
}

export const outputCodecs = {
  hundredths: { bits: 16, factor: 0.01 },
  rpm: { bits: 16, factor: 0.25 },
  fahrenheit: { bits: 16, factor: 0.1, offset: -40 },
  gear: { bits: 4 },
  flag: { bits: 1 },
  mode: { bits: 8, rawMax: wiperRequest.max },
} as const satisfies Readonly<Record<string, OutputCodec>>;

type OutputSignal = Pick<SignalLayout, 'name' | 'startBit'> & {
  readonly codec: keyof typeof outputCodecs;
  readonly unit?: string;
};

export interface OutputFrame {
  readonly name: string;
  readonly id: number;
  readonly length: number;
  readonly periodMs?: number;
  readonly signals: readonly OutputSignal[];
  readonly protection?: readonly Pick<SignalLayout, 'name' | 'startBit' | 'bits'>[];
}

const { off: _, ...wiperModes } = wiper;

export const wiperRequests = { automatic: wiperRequest.automatic, ...wiperModes };

export const wheels = {
  name: 'Wheels',
  id: 0x420,
  length: 8,
  periodMs: 20,
  signals: [
    { name: 'WheelSpeed', codec: 'hundredths', startBit: 16, unit: 'km/h' },
    { name: 'WheelSpread', codec: 'hundredths', startBit: 32, unit: 'km/h' },
  ],
  protection: [
    { name: 'WheelsChecksum', startBit: 0, bits: 8 },
    { name: 'WheelsCounter', startBit: 8, bits: 4 },
  ],
} as const satisfies OutputFrame;

export const outputFrames: readonly OutputFrame[] = [
  {
    name: 'Dashboard',
    id: 0x400,
    length: 8,
    periodMs: 50,
    signals: [
      { name: 'DashboardSpeed', codec: 'hundredths', startBit: 0, unit: 'mph' },
      { name: 'EngineSpeed', codec: 'rpm', startBit: 16, unit: 'rpm' },
      { name: 'DashboardCoolant', codec: 'fahrenheit', startBit: 32, unit: '°F' },
      { name: 'Gear', codec: 'gear', startBit: 48 },
      { name: 'SpeedWarning', codec: 'flag', startBit: 52 },
    ],
  },
  {
    name: 'BrakeLamp',
    id: 0x410,
    length: 1,
    signals: [{ name: 'Braking', codec: 'flag', startBit: 0 }],
  },
  wheels,
  {
    name: wiperRequest.name,
    id: wiperRequest.id,
    length: wiperRequest.length,
    periodMs: wiperRequest.periodUs / 1000,
    signals: [{ name: wiperSetpoint, codec: 'mode', startBit: 0 }],
  },
];
