import {
  attribute,
  nest,
  readAttributes,
  readNumber,
  readNumbers,
  readText,
  words,
} from './attributes.ts';
import {
  type CanLinkChange,
  type CanLinkData,
  canLinkAttributes,
  readCanLinkData,
} from './can-link-data.ts';
import { messageType, type NetlinkMessage } from './messages.ts';

/**
 * Network interfaces in messages: a `struct ifinfomsg` and attributes (if_link.h).
 *
 *     0        2             4            8            12            16
 *     | family | device type | index      | flags      | change mask | attributes …
 */

const infoLength = 16;
/** ARPHRD_CAN. Names can be changed, so they do not identify CAN. */
const canDeviceType = 280;

const interfaceFlag = { up: 0x1, running: 0x40, echo: 0x4_0000 } as const;

const key = {
  name: 3,
  mtu: 4,
  peer: 5,
  txQueueLength: 13,
  linkInfo: 18,
  counters: 23,
  parentDevice: 56,
  parentBus: 57,
} as const;
const infoKey = { kind: 1, data: 2, extraCounters: 3 } as const;

export const fdMtu = 72;

export interface LinkCounters {
  readonly rxPackets: number;
  readonly txPackets: number;
  readonly rxErrors: number;
  readonly txErrors: number;
  readonly rxDropped: number;
  readonly txDropped: number;
  readonly rxOverruns: number;
}

export interface ControllerCounters {
  readonly busErrors: number;
  readonly errorWarnings: number;
  readonly errorPassives: number;
  readonly busOffs: number;
  readonly arbitrationLosses: number;
  readonly restarts: number;
}

export interface CanLink {
  /** Kernel index, not reused before the next boot. */
  readonly index: number;
  readonly name: string;
  /** `can` for controllers, `vcan`, `vxcan`. */
  readonly kind: string;
  readonly isUp: boolean;
  /** Up, with the controller on the bus. */
  readonly isRunning: boolean;
  /** Sent frames are echoed after they were on the bus. */
  readonly hasEcho: boolean;
  readonly mtu: number;
  readonly txQueueLength: number;
  /** Other end of a vxcan pair. */
  readonly peer: number | undefined;
  /** Such as `2-1.4:1.0` on `usb`. */
  readonly parentDevice: string | undefined;
  readonly parentBus: string | undefined;
  readonly controller: CanLinkData | undefined;
  readonly counters: LinkCounters | undefined;
  readonly controllerCounters: ControllerCounters | undefined;
}

const readCounters = (bytes: Buffer | undefined): LinkCounters | undefined => {
  if (bytes === undefined || bytes.length < 88) return undefined;
  const at = (index: number): number => Number(bytes.readBigUInt64LE(8 * index));
  return {
    rxPackets: at(0),
    txPackets: at(1),
    rxErrors: at(4),
    txErrors: at(5),
    rxDropped: at(6),
    txDropped: at(7),
    rxOverruns: at(10),
  };
};

const readControllerCounters = (bytes: Buffer | undefined): ControllerCounters | undefined => {
  const counts = readNumbers(bytes, 4);
  const [busErrors, errorWarnings, errorPassives, busOffs, arbitrationLosses, restarts] = counts;
  if (busErrors === undefined || restarts === undefined) return undefined;
  return {
    busErrors,
    errorWarnings: errorWarnings ?? 0,
    errorPassives: errorPassives ?? 0,
    busOffs: busOffs ?? 0,
    arbitrationLosses: arbitrationLosses ?? 0,
    restarts,
  };
};

export const readCanLink = ({ type, body }: NetlinkMessage): CanLink | undefined => {
  if (type !== messageType.newLink && type !== messageType.deleteLink) return undefined;
  if (body.length < infoLength || body.readUInt16LE(2) !== canDeviceType) return undefined;
  const flags = body.readUInt32LE(8);
  const values = readAttributes(body.subarray(infoLength));
  const info = readAttributes(values.get(key.linkInfo) ?? Buffer.alloc(0));
  const data = info.get(infoKey.data);
  const kind = readText(info.get(infoKey.kind)) ?? '';
  return {
    index: body.readInt32LE(4),
    name: readText(values.get(key.name)) ?? '',
    kind,
    isUp: (flags & interfaceFlag.up) !== 0,
    isRunning: (flags & interfaceFlag.running) !== 0,
    hasEcho: (flags & interfaceFlag.echo) !== 0,
    mtu: readNumber(values.get(key.mtu)) ?? 0,
    txQueueLength: readNumber(values.get(key.txQueueLength)) ?? 0,
    peer: readNumber(values.get(key.peer)),
    parentDevice: readText(values.get(key.parentDevice)),
    parentBus: readText(values.get(key.parentBus)),
    controller: kind === 'can' && data ? readCanLinkData(data) : undefined,
    counters: readCounters(values.get(key.counters)),
    controllerCounters: readControllerCounters(info.get(infoKey.extraCounters)),
  };
};

const interfaceInfo = (index: number, flags = 0, mask = 0): Buffer => words(0, index, flags, mask);

export const allLinks = (): Buffer => interfaceInfo(0);

export const linkByIndex = (index: number): Buffer => interfaceInfo(index);

/** Change of an interface: controller first, then up. */
export interface LinkChange {
  readonly isUp?: boolean;
  readonly controller?: CanLinkChange;
  readonly txQueueLength?: number;
  readonly mtu?: number;
}

export const changedLink = (index: number, change: LinkChange): Buffer => {
  const { isUp, controller, txQueueLength, mtu } = change;
  const upFlag = isUp ? interfaceFlag.up : 0;
  return Buffer.concat(
    [
      interfaceInfo(index, upFlag, isUp === undefined ? 0 : interfaceFlag.up),
      mtu === undefined ? undefined : attribute(key.mtu, words(mtu)),
      txQueueLength === undefined ? undefined : attribute(key.txQueueLength, words(txQueueLength)),
      controller &&
        nest(
          key.linkInfo,
          attribute(infoKey.kind, Buffer.from('can')),
          nest(infoKey.data, ...canLinkAttributes(controller)),
        ),
    ].filter((bytes) => bytes !== undefined),
  );
};
