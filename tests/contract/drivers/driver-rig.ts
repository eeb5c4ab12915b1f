import type { TestContext } from 'vitest';
import type { ChannelMode, OpenSettings } from '../../../src/drivers/channel-settings.ts';
import type { Driver } from '../../../src/drivers/driver.ts';
import type { CanChannel, LinChannel } from '../../../src/drivers/driver-channel.ts';
import { RecordingSink } from '../../../src/drivers/testing/recording-sink.ts';
import type { BitTiming } from '../../../src/frame/bit-timing-record.ts';

export interface OffloadFeatures {
  /** Maximum number of cyclic jobs per port. */
  readonly cyclic: number;
  /** Maximum number of routes of the device. */
  readonly routes: number;
  /** Allowed timing error of a cyclic frame. */
  readonly jitterUs: number;
}

/** Features of a driver's test bench. Cases that need a missing feature are skipped. */
export interface DriverFeatures {
  /** Two CAN ports alone on one bus. */
  readonly can?: {
    readonly ports: readonly [number, number];
    readonly fd: boolean;
    readonly modes: readonly ChannelMode[];
    /** Missing acknowledgements show as error frames and a stalled queue. */
    readonly acknowledges: boolean;
    /** False if the bench garbles remote frames, or the frames after them. */
    readonly remote?: boolean;
    /** Highest DLC that a classic frame keeps; default 15. */
    readonly highestDlc?: number;
    /** A bit timing that its clock supports, other than the one for 500 kbit/s. */
    readonly timing?: BitTiming;
    /** Frames that the device can send on its own. */
    readonly offload?: OffloadFeatures;
  };
  /** Two LIN ports alone on one bus. */
  readonly lin?: {
    readonly master: number;
    readonly slave: number;
    /** Nodes detect that they transmit simultaneously. */
    readonly collides: boolean;
  };
  /** The device can be unplugged and plugged in by the test. */
  readonly canLose: boolean;
}

/** A port as named by the driver. */
export interface PortInterface {
  readonly sn: string;
  readonly port: number;
}

/** A driver under test, and its simulated environment. */
export interface DriverRig {
  readonly driver: Driver;
  /** The device that has the ports. */
  readonly sn: string;
  /** The port for one of `DriverFeatures`, if its device is not `sn` or its number differs. */
  readonly placeOf?: (port: number) => PortInterface;
  /** Sink of a channel; by default one on this thread. */
  readonly createSink?: () => RecordingSink;
  readonly nowUnixUs: () => number;
  /** Advances bus time, up to a limit, until the condition is true; throws if it never is. */
  until(condition: () => boolean): Promise<void>;
  /** Advances bus time by this much. */
  pass(us: number): Promise<void>;
  loseDevice?(): Promise<void>;
  returnDevice?(): Promise<void>;
  /** Destroys every frame of a CAN port from now on. Returns a function that ends this. */
  readonly breakFrames?: (port: number) => Promise<() => Promise<void>>;
  /** Makes the device report bus off for a CAN port; for benches without `breakFrames`. */
  readonly reportBusOff?: (port: number) => void;
  /** Makes the next responses of a LIN port carry a wrong checksum. */
  readonly spoilChecksums?: (port: number, responses: number) => Promise<void>;
  /** Makes a LIN port miss its next response. */
  readonly dropResponses?: (port: number, responses: number) => Promise<void>;
  tearDown(): Promise<void>;
}

/** The reason for which a case is skipped on a bench without its hook. */
const missingHook = {
  breakFrames: 'this bench cannot destroy frames on their way',
  spoilChecksums: 'this bench cannot spoil the checksum of a response',
  dropResponses: 'this bench cannot keep a node from responding',
} as const satisfies Partial<Record<keyof DriverRig, string>>;

/** A hook of the bench. Without it the case is skipped. */
export const hookOf = <Name extends keyof typeof missingHook>(
  rig: DriverRig,
  name: Name,
  { skip }: TestContext,
): NonNullable<DriverRig[Name]> => rig[name] ?? skip(missingHook[name]);

export type SetUpRig = () => Promise<DriverRig>;

export interface OpenCan {
  readonly channel: CanChannel;
  readonly events: RecordingSink;
}

export interface OpenLin {
  readonly channel: LinChannel;
  readonly events: RecordingSink;
}

export const sinkFor = (rig: DriverRig): RecordingSink => rig.createSink?.() ?? new RecordingSink();

export const placeOf = (rig: DriverRig, port: number): PortInterface =>
  rig.placeOf?.(port) ?? { sn: rig.sn, port };

export const openCan = async (
  rig: DriverRig,
  port: number,
  settings: OpenSettings = {},
): Promise<OpenCan> => {
  const events = sinkFor(rig);
  const { sn, port: number } = placeOf(rig, port);
  const channel = await rig.driver.open(sn, number, settings, events);
  if (channel.bus === 'lin') throw new TypeError(`Port ${port} opened as LIN`);
  return { channel, events };
};

export const openLin = async (
  rig: DriverRig,
  port: number,
  settings: OpenSettings = {},
): Promise<OpenLin> => {
  const events = sinkFor(rig);
  const { sn, port: number } = placeOf(rig, port);
  const channel = await rig.driver.open(sn, number, settings, events);
  if (channel.bus !== 'lin') throw new TypeError(`Port ${port} opened as CAN`);
  return { channel, events };
};

/** The error of a rejected promise. */
export const refusal = async (action: Promise<unknown>): Promise<unknown> => {
  const outcome = await action.then(
    () => ({ details: 'nothing was refused' }),
    (error: { details: unknown }) => error,
  );
  return outcome.details;
};
