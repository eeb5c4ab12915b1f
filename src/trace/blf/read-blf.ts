import { countIfError, errorCountBy } from '../error-frames.ts';
import { ReaderAccount } from '../reader-account.ts';
import type { SkipName } from '../skip-names.ts';
import type { TraceBatch } from '../trace-batch.ts';
import type { ByteSource, OpenTrace, TraceAccount, TraceReader } from '../trace-format.ts';
import { missedBy } from '../trace-gap.ts';
import { comment, objectType, timedHeaderSize } from './blf-layout.ts';
import { ByteWindow } from './byte-window.ts';
import { longestText, readChannelName } from './channel-names.ts';
import { ContainerContents } from './container-contents.ts';
import { decodeCanFd, decodeCanFd64, decodeCanMessage } from './decode-can.ts';
import { decodeCanError, decodeCanErrorExt, decodeCanFdError64 } from './decode-can-error.ts';
import {
  decodeLinMessage,
  decodeLinReceiveError,
  decodeLinSendError,
  decodeLinSleep,
  decodeLinSyncError,
  decodeLinWakeUp,
} from './decode-lin.ts';
import {
  decodeLin2Message,
  decodeLin2ReceiveError,
  decodeLin2SendError,
  decodeLin2SyncError,
  decodeLin2WakeUp,
} from './decode-lin2.ts';
import { readFileHeader } from './file-header.ts';
import { FileWindow } from './file-window.ts';
import { type BlfObject, EventRows, type Outcome, outcome, timeNsOf } from './object-event.ts';
import { objectName } from './object-names.ts';
import { ObjectScanner } from './object-scanner.ts';

/** Adds the event that an object stands for to a batch with room for it. */
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

/** What an EVENT_COMMENT says, which may be something that we have written; empty if it is none. */
const commentText = (object: BlfObject): string => {
  const { bytes, view } = object.window;
  const body = object.at + object.headerSize;
  const room = Math.min(object.size - object.headerSize, longestText) - comment.text;
  if (room < 0 || object.headerSize < timedHeaderSize) return '';
  const length = Math.min(view.getUint32(body + comment.textLength, true), room);
  const from = body + comment.text;
  return decoder.decode(bytes.subarray(from, from + length));
};

/** Room for two containers of the usual size. */
const streamBytes = 0x4_0000;

/** Objects that are looked at before a batch is given that is not full. */
const objectsPerRead = 0x1_0000;
/** What it takes to read from the file or inflate, in objects. */
const advanceCost = 0x400;

/**
 * Reads BLF: objects in containers, which may begin in one and end in the next, and objects that
 * stand outside. Memory does not depend on the size of a container.
 */
class BlfReader implements TraceReader {
  readonly format = 'blf';
  readonly startUnixUs: number | null;
  readonly channelNames = new Map<number, string>();
  readonly #account = new ReaderAccount();
  readonly #file: FileWindow;
  /** Objects of the file itself, most of them containers. */
  readonly #outer: ObjectScanner;
  /** Objects in the contents of all containers. */
  readonly #inner = new ObjectScanner(new ByteWindow(streamBytes), this.#account);
  readonly #contents: ContainerContents;
  readonly #names: SkipName[] = [];
  #isOver = false;
  /** How many error frames the next one stands for, by the comment before it. */
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

  get account(): TraceAccount {
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
    this.#account.events += batch.count;
    return hasMore || batch.count > 0;
  }

  #take(object: ObjectScanner, rows: EventRows): void {
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
        object.flaw(`An event of type ${object.type} has only ${object.size} bytes`);
        break;
      case outcome.badLength:
        object.flaw(`An event of type ${object.type} has a length that no frame has`);
    }
  }

  /** Files of our own have comments where events are missing, and before errors told as one. */
  #takeComment(object: ObjectScanner, { batch }: EventRows): boolean {
    const text = commentText(object);
    const missed = missedBy(text);
    this.#errorFrames = errorCountBy(text);
    if (missed === undefined) return this.#errorFrames !== undefined;
    batch.addGap(timeNsOf(object), missed);
    this.#account.gap(missed);
    return true;
  }

  /** Applies the comment before it to the event that was just read. */
  #takeCount({ batch }: EventRows): void {
    if (this.#errorFrames === undefined) return;
    countIfError(batch, batch.count - 1, this.#errorFrames);
    this.#errorFrames = undefined;
  }

  /** Takes the next object or bytes of the file, or more of the container at hand; false at the end. */
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

  /** Texts are made once: there may be as many objects of a type as there are events. */
  #nameOf(type: number): SkipName {
    this.#names[type] ??= objectName(type);
    return this.#names[type];
  }
}

/** Reads a BLF file. */
export const readBlf: OpenTrace = (source) => new BlfReader(source);
