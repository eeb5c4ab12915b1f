import { expect } from 'vitest';
import { type Answered, setUpTransmitBench, type TransmitBench } from './transmit-bench.ts';

/** Microseconds from the first event, interface and frame. */
const events: readonly (readonly [number, string, string])[] = [
  [0, 'can0', '123#01'],
  [3000, 'can0', '123#02'],
  [3500, 'can1', '7FF#AA'],
  [20_000, 'can0', '18FF50E5#0304'],
  [20_600, 'can0', '124##1000102030405060708090A0B'],
  [45_000, 'can0', '125#R3'],
  [80_000, 'can1', '7FF#BB'],
  [90_000, 'can0', '126#0011223344556677_C'],
  [120_000, 'can0', '123#05'],
];

/** A trace of two channels, seven frames of the first and two of the second, as a candump log. */
export const driveLog = events
  .map(([us, name, frame]) => `(1767225600.${String(us).padStart(6, '0')}) ${name} ${frame}\n`)
  .join('');

/** Due times of the frames of the first channel. */
export const mainTimesUs = events.filter(([, name]) => name === 'can0').map(([us]) => us);

/** Frames that a peer receives. */
export const mainFrames: readonly object[] = [
  { id: 0x123, data: '01' },
  { id: 0x123, data: '02' },
  { id: 0x18ff50e5, extended: true, data: '0304' },
  { id: 0x124, fd: true, brs: true, data: '000102030405060708090A0B' },
  { id: 0x125, remote: true, dlc: 3, data: '' },
  { id: 0x126, dlc: 12, data: '0011223344556677' },
  { id: 0x123, data: '05' },
];

/** A bench with both CAN segments open and that trace in its project, as `drive.log`. */
export const setUpDrive = async (setUp = setUpTransmitBench): Promise<TransmitBench> => {
  const bench = await setUp(0, 1, 2, 3);
  bench.write('drive.log', driveLog);
  return bench;
};

/** The record of a replay once it no longer runs. */
export const replayEnd = (bench: TransmitBench): Promise<Answered> =>
  bench.until('replay', ({ state }) => state !== 'running');

/** Replays from the start to the end. */
export const play = async (bench: TransmitBench, request: object): Promise<Answered> => {
  const started = await bench.create('replay', request);
  expect(started).toMatchObject({ stopped: false, error: null });
  return replayEnd(bench);
};
