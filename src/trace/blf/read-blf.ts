import { maxLinId } from '../../frame/frame.ts';
import { eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { countIfError, errorCountBy } from '../error-frames.ts';
import { ReaderStats } from '../reader-stats.ts';
import type { SkipName } from '../skip-names.ts';
import type { TraceBatch } from '../trace-batch.ts';
import type { ByteSource, OpenTrace, TraceReader, TraceStats } from '../trace-format.ts';
import { missedBy } from '../trace-gap.ts';
import {
  checksumModel,
  comment,
  direction,
  lin,
  linReceiveError,
  linSleep,
  linSleepFlag,
  linSyncError,
  linWakeUp,
  objectType,
  timedHeaderSize,
} from './blf-layout.ts';
import { ByteWindow } from './byte-window.ts';
import { maxTextLength, readChannelName } from './channel-names.ts';
import { ContainerContents } from './container-contents.ts';
import {
  decodeCanError,
  decodeCanErrorExt,
  decodeCanFd,
  decodeCanFd64,
  decodeCanFdError64,
  decodeCanMessage,
} from './decode-can.ts';
import {
  decodeLin2Message,
  decodeLin2ReceiveError,
  decodeLin2SendError,
  decodeLin2SyncError,
  decodeLin2WakeUp,
} from './decode-lin2.ts';
import { FileWindow, readFileHeader } from './file-header.ts';
import {
  appendLinMessage,
  appendLinNotice,
  appendLinReceiveError,
  appendLinSyncError,
  appendLinWakeUp,
} from './lin-event.ts';
import {
  type BlfObject,
  EventRows,
  kindOf,
  type Outcome,
  outcome,
  timeNsOf,
} from './object-event.ts';
import { ObjectScanner } from './object-scanner.ts';

const { rx_frame: rx } = eventKindCode;

const channelOf = ({ window, at, headerSize }: BlfObject): number =>
  window.view.getUint16(at + headerSize + lin.channel, true);

/** LIN_MESSAGE and LIN_CRC_ERROR do not contain the checksum model. */
const decodeLinMessage = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + lin.end) return outcome.tooShort;
  const way = view.getUint8(body + lin.direction);
  if (way === direction.txRequest) return outcome.request;
  return appendLinMessage(
    rows,
    object,
    kindOf(way),
    channelOf(object),
    view.getUint8(body + lin.id) & maxLinId,
    view.getUint8(body + lin.dlc),
    body + lin.data,
    view.getUint8(body + lin.checksum),
    checksumModel.unknown,
    object.type === objectType.linCrcError,
  );
};

const decodeLinSendError = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + lin.data) return outcome.tooShort;
  const id = view.getUint8(body + lin.id) & maxLinId;
  const asked = view.getUint8(body + lin.dlc);
  return appendLinNotice(rows, object, rx, channelOf(object), id, frameFlag.noResponse, asked);
};

const decodeLinReceiveError = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + linReceiveError.end) return outcome.tooShort;
  const isFull = view.getUint8(body + linReceiveError.isFull) !== 0;
  const id = view.getUint8(body + lin.id) & maxLinId;
  const dlc = view.getUint8(body + lin.dlc);
  return appendLinReceiveError(rows, object, channelOf(object), id, dlc, isFull);
};

const decodeLinSyncError = (object: BlfObject, rows: EventRows): Outcome => {
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + linSyncError.end) return outcome.tooShort;
  return appendLinSyncError(rows, object, channelOf(object), body + linSyncError.edges);
};

const decodeLinWakeUp = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + linWakeUp.end) return outcome.tooShort;
  const byte = view.getUint8(body + linWakeUp.byte);
  const isExternal = view.getUint8(body + linWakeUp.external) !== 0;
  return appendLinWakeUp(rows, object, channelOf(object), byte, isExternal);
};

/** The object reports any change of the bus state; only sleep is an event. */
const decodeLinSleep = (object: BlfObject, rows: EventRows): Outcome => {
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + linSleep.end) return outcome.tooShort;
  const bits = object.window.view.getUint8(body + linSleep.flags);
  if ((bits & linSleepFlag.isAwake) !== 0) return outcome.passed;
  return appendLinNotice(rows, object, rx, channelOf(object), 0, frameFlag.sleep, 0);
};

const names: Readonly<Record<number, SkipName>> = {
  3: 'overload_frame',
  4: 'statistics',
  5: 'trigger',
  6: 'environment_variable',
  7: 'environment_variable',
  8: 'environment_variable',
  9: 'environment_variable',
  13: 'lin_dlc_info',
  16: 'lin_slave_timeout',
  17: 'lin_schedule',
  19: 'lin_baud_rate',
  20: 'lin_awake',
  29: 'flexray',
  30: 'flexray',
  31: 'driver_error',
  40: 'flexray',
  41: 'flexray',
  42: 'lin_checksum_info',
  43: 'lin_spike',
  44: 'driver_sync',
  45: 'flexray',
  46: 'gps',
  47: 'flexray',
  48: 'flexray',
  49: 'flexray',
  50: 'flexray',
  51: 'real_time_clock',
  54: 'statistics',
  55: 'j1708',
  56: 'j1708',
  63: 'lin_spike',
  64: 'lin_long_dominant',
  65: 'text',
  66: 'flexray',
  71: 'ethernet',
  72: 'system_variable',
  74: 'driver_error',
  75: 'lin_long_dominant',
  87: 'lin_unexpected_wake_up',
  88: 'lin_slow_response',
  89: 'lin_disturbance',
  90: 'serial',
  91: 'overrun',
  92: 'comment',
  93: 'wlan',
  94: 'wlan',
  96: 'marker',
  99: 'k_line',
  102: 'ethernet',
  103: 'ethernet',
  105: 'lin_slow_response',
  114: 'statistics',
  115: 'restore_points',
  118: 'test_structure',
  119: 'diagnostics',
  120: 'ethernet',
  121: 'ethernet',
  122: 'ethernet',
  123: 'ethernet',
  125: 'data_lost',
  126: 'data_lost',
  128: 'trigger',
  129: 'can_setting',
  139: 'can_xl',
  140: 'can_xl',
};

const ranges: readonly (readonly [number, number, SkipName])[] = [
  [22, 25, 'most'],
  [32, 39, 'most'],
  [67, 70, 'most'],
  [76, 85, 'most'],
  [95, 95, 'most'],
  [97, 98, 'afdx'],
  [106, 109, 'afdx'],
  [110, 113, 'a429'],
];

const objectName = (type: number): SkipName =>
  names[type] ??
  ranges.find(([first, last]) => type >= first && type <= last)?.[2] ??
  `type_${type}`;

const decodeObject = (object: BlfObject, rows: EventRows): Outcome => {
  switch (object.type) {
    case objectType.canMessage:
    case objectType.canMessage2:
      return decodeCanMessage(object, rows);
    case objectType.canFdMessage64:
      return decodeCanFd64(object, rows);
    case objectType.canFdMessage:
      return decodeCanFd(object, rows);
    case objectType.linMessage2:
    case objectType.linCrcError2:
      return decodeLin2Message(object, rows);
    case objectType.linMessage:
    case objectType.linCrcError:
      return decodeLinMessage(object, rows);
    case objectType.canErrorExt:
      return decodeCanErrorExt(object, rows);
    case objectType.canError:
      return decodeCanError(object, rows);
    case objectType.canFdError64:
      return decodeCanFdError64(object, rows);
    case objectType.linSendError:
      return decodeLinSendError(object, rows);
    case objectType.linSendError2:
      return decodeLin2SendError(object, rows);
    case objectType.linReceiveError:
      return decodeLinReceiveError(object, rows);
    case objectType.linReceiveError2:
      return decodeLin2ReceiveError(object, rows);
    case objectType.linSyncError:
      return decodeLinSyncError(object, rows);
    case objectType.linSyncError2:
      return decodeLin2SyncError(object, rows);
    case objectType.linWakeUp:
      return decodeLinWakeUp(object, rows);
    case objectType.linWakeUp2:
      return decodeLin2WakeUp(object, rows);
    case objectType.linSleep:
      return decodeLinSleep(object, rows);
    default:
      return outcome.passed;
  }
};

const decoder = new TextDecoder();

const commentText = (object: BlfObject): string => {
  const { bytes, view } = object.window;
  const body = object.at + object.headerSize;
  const room = Math.min(object.size - object.headerSize, maxTextLength) - comment.text;
  if (room < 0 || object.headerSize < timedHeaderSize) return '';
  const length = Math.min(view.getUint32(body + comment.textLength, true), room);
  const from = body + comment.text;
  return decoder.decode(bytes.subarray(from, from + length));
};

const streamBytes = 0x4_0000;

const objectsPerRead = 0x1_0000;
const advanceCost = 0x400;

/**
 * Reads BLF: objects in containers, possibly spanning two of them, and objects outside. Memory
 * use does not depend on container sizes.
 */
class BlfReader implements TraceReader {
  readonly format = 'blf';
  readonly startUnixUs: number | null;
  readonly channelNames = new Map<number, string>();
  readonly #account = new ReaderStats();
  readonly #file: FileWindow;
  readonly #outer: ObjectScanner;
  readonly #inner = new ObjectScanner(new ByteWindow(streamBytes), this.#account);
  readonly #contents: ContainerContents;
  readonly #names: SkipName[] = [];
  #isOver = false;
  #errorFrames: number | undefined;

  constructor(source: ByteSource) {
    this.#file = new FileWindow(source);
    this.startUnixUs = readFileHeader(this.#file);
    this.#outer = new ObjectScanner(this.#file.window, this.#account);
    this.#contents = new ContainerContents(this.#file, this.#outer, this.#inner);
  }

  get position(): number {
    return this.#file.position;
  }

  get account(): TraceStats {
    return this.#account;
  }

  read(batch: TraceBatch): boolean {
    batch.clear();
    const inner = this.#inner;
    const rows = new EventRows(batch);
    let left = objectsPerRead;
    let hasMore = true;
    while (hasMore && !batch.isFull && left > 0) {
      if (inner.next()) {
        this.#take(inner, rows);
        left -= 1;
      } else {
        hasMore = this.#advance(rows);
        left -= advanceCost;
      }
    }
    this.#account.take(batch);
    return hasMore || batch.count > 0;
  }

  #take(object: ObjectScanner, rows: EventRows): void {
    this.#account.markErrors(rows.batch);
    switch (decodeObject(object, rows)) {
      case outcome.event:
        this.#takeCount(rows);
        break;
      case outcome.passed:
        if (object.type === objectType.eventComment && this.#takeComment(object, rows)) break;
        this.#account.skip(this.#nameOf(object.type));
        if (object.type === objectType.appText) readChannelName(object, this.channelNames);
        break;
      case outcome.request:
        this.#account.skip('tx_request');
        break;
      case outcome.tooShort:
        object.error(`An event of type ${object.type} has only ${object.size} bytes`);
        break;
      case outcome.badLength:
        object.error(`An event of type ${object.type} has an invalid length`);
    }
  }

  #takeComment(object: ObjectScanner, { batch }: EventRows): boolean {
    const text = commentText(object);
    const missed = missedBy(text);
    this.#errorFrames = errorCountBy(text);
    if (missed === undefined) return this.#errorFrames !== undefined;
    batch.addGap(timeNsOf(object), missed);
    this.#account.gap(missed);
    return true;
  }

  #takeCount({ batch }: EventRows): void {
    if (this.#errorFrames === undefined) return;
    countIfError(batch, batch.count - 1, this.#errorFrames);
    this.#errorFrames = undefined;
  }

  #advance(rows: EventRows): boolean {
    if (this.#isOver) return false;
    if (this.#contents.more()) return true;
    if (!this.#outer.next()) return this.#file.more() || this.#finish();
    if (this.#outer.type === objectType.logContainer) this.#contents.enter();
    else this.#take(this.#outer, rows);
    return true;
  }

  #finish(): false {
    this.#isOver = true;
    this.#outer.finish();
    this.#contents.finish();
    return false;
  }

  /** Cached, because a type can occur as often as events. */
  #nameOf(type: number): SkipName {
    this.#names[type] ??= objectName(type);
    return this.#names[type];
  }
}

export const readBlf: OpenTrace = (source) => new BlfReader(source);
