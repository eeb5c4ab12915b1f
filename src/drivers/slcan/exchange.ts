import { DeviceTime } from './device-time.ts';
import { beginsAsFrame, readFrame, SlcanFrame, type StampDigits } from './frame-text.ts';
import {
  type BusErrorLetter,
  type ControllerState,
  readErrors,
  readState,
  readText,
} from './status-text.ts';

/** What ends a line, and what a device answers on its own when it refuses a command. */
const carriageReturn = 0x0d;

const bell = 0x07;

const lineFeed = 0x0a;

/**
 * Room for one line. The longest frame has 147 characters with its time stamp; firmware says its
 * version in whatever words it likes.
 */
export const longestLine = 256;

/** Who is told what a splitter found. */
interface LineReceiver {
  /** A line without its end. The bytes are there during the call only. */
  line(bytes: Uint8Array, length: number): void;
  bell(): void;
  /** Characters that are no line: too many of them, or cut off by a bell. */
  garbage(): void;
}

/** Cuts what a device sends into lines, in memory that never grows. */
export class LineSplitter {
  readonly #receiver: LineReceiver;
  readonly #bytes = new Uint8Array(longestLine);
  #length = 0;
  /** The line is too long already; told once, and the rest of it is passed over. */
  #isOverlong = false;

  constructor(receiver: LineReceiver) {
    this.#receiver = receiver;
  }

  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (byte === carriageReturn) this.#endLine();
      else if (byte === bell) this.#ring();
      else if (this.#length < longestLine) this.#keep(byte);
      else if (!this.#isOverlong) {
        this.#isOverlong = true;
        this.#receiver.garbage();
      }
    }
  }

  /** Forgets what has arrived of a line. */
  reset(): void {
    this.#length = 0;
    this.#isOverlong = false;
  }

  #keep(byte: number): void {
    // Some firmware ends lines with both.
    if (byte === lineFeed && this.#length === 0) return;
    this.#bytes[this.#length++] = byte;
  }

  #endLine(): void {
    const length = this.#length;
    const isOverlong = this.#isOverlong;
    this.reset();
    if (!isOverlong) this.#receiver.line(this.#bytes, length);
  }

  #ring(): void {
    const isCutOff = this.#length > 0 && !this.#isOverlong;
    this.reset();
    if (isCutOff) this.#receiver.garbage();
    this.#receiver.bell();
  }
}

/** Counts what comes on a line, besides awaited answers, while a probe finds out what is connected. */
export class ProbeStats {
  /** Bytes that no slcan device sends: the baud rate is wrong. */
  noise = 0;
  /** Lines in the form of a frame, with or without a time stamp. */
  frames = 0;
  /** Bare ends of lines and bells, which answer commands and frames. */
  answers = 0;
  /** Lines that mean nothing in slcan. */
  words = 0;

  countNoise(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const isControl = byte === carriageReturn || byte === lineFeed || byte === bell;
      if ((byte < 0x20 || byte > 0x7e) && !isControl) this.noise += 1;
    }
  }
}

export interface Command {
  /** Without the end of the line. */
  readonly text: string;
  readonly timeoutUs: number;
  /** Whether a line answers it; left out where a bare end of line does. */
  readonly isAnswer?: (line: string) => boolean;
  /**
   * Answers to other things may still come, none of which ends it: its own counts once no stray one
   * has come for so long. Without `isAnswer` its own is among the strays.
   */
  readonly quietUs?: number;
  /**
   * Whatever the device had queued before may still come, frames above all: it ends once nothing has
   * come for so long, and has an answer if there was one among that. `timeoutUs` is for the first byte,
   * and the limit for all.
   */
  readonly settle?: { readonly quietUs: number; readonly limitUs: number };
}

/** How a command ended; `gone` with the line it was sent on, `unquiet` where `settle` had no end. */
export interface Reply {
  readonly outcome: 'ok' | 'refused' | 'silent' | 'gone' | 'unquiet';
  /** The line that answered, if one did. */
  readonly text: string;
}

/** Who is told what a device says. */
export interface ExchangeEvents {
  /** The frame holds during the call only. */
  frame(frame: SlcanFrame, nowUs: number): void;
  /** The device took the oldest frame without an answer. */
  taken(nowUs: number): void;
  /** The device refused the oldest frame without an answer. */
  refused(nowUs: number): void;
  /** So many frames will have no answer: whatever comes now is not theirs. */
  unanswered(frames: number, nowUs: number): void;
  state(state: ControllerState, nowUs: number): void;
  errors(letters: readonly BusErrorLetter[], nowUs: number): void;
}

const smallZ = 0x7a;
const largeZ = 0x5a;
/** A device that takes frames answers in milliseconds, one on a slow line in tens of them. */
export const ackTimeoutUs = 1_000_000;

const anyStampDigits: readonly StampDigits[] = [0, 4, 8];

/** What answers later than this is not merely late. */
const lateUs = 5_000_000;

/**
 * The talk with a device: which answer belongs to what was written. Answers have no number and come
 * in order, so that all there is to know is how many frames are before and behind the one command:
 *
 *     written:   t… t… t…   F   t… t…        #before = 3, a command, #behind = 2
 *
 * It knows no clock: time comes in, and the next deadline is there to be asked for.
 */
export class Exchange implements LineReceiver {
  /** Lines, bells and runs of characters that mean nothing here. */
  malformed = 0;
  /** What came since the line was opened, while `isProbing`. */
  readonly probeStats = new ProbeStats();
  readonly #events: ExchangeEvents;
  readonly #splitter = new LineSplitter(this);
  readonly #frame = new SlcanFrame();
  #isProbing = false;
  /** Undefined before the device is set up: it may have been left open, with stamps of any length. */
  #stampDigits: StampDigits | undefined;
  #nowUs = 0;
  #before = 0;
  #behind = 0;
  #command: Command | undefined;
  #done: (reply: Reply) => void = () => undefined;
  #commandDueUs = Number.POSITIVE_INFINITY;
  /** When the time of the command is up, however quiet it is. */
  #commandLimitUs = Number.POSITIVE_INFINITY;
  /** The answer to a command that waits for quiet. */
  #answer: string | undefined;
  #frameDueUs = Number.POSITIVE_INFINITY;
  /** Commands that were given up, and whose answers may still come: these are no lost frames. */
  readonly #overdue: { readonly command: Command; readonly untilUs: number }[] = [];

  constructor(events: ExchangeEvents) {
    this.#events = events;
  }

  /** It is being found out who is at the other end. Frames that come meanwhile are of no channel. */
  set isProbing(isProbing: boolean) {
    this.#isProbing = isProbing;
    if (isProbing) this.#stampDigits = undefined;
  }

  /** How many digits of time stamp received frames carry from now on. */
  set stampDigits(digits: StampDigits) {
    this.#stampDigits = digits;
  }

  /** Frames that were written and have no answer yet. */
  get unansweredFrames(): number {
    return this.#before + this.#behind;
  }

  /** When `tick` has something to do; Infinity if never. */
  get deadlineUs(): number {
    return Math.min(this.#commandDueUs, this.#frameDueUs);
  }

  /** A command was written. There is one at a time. */
  ask(command: Command, nowUs: number, done: (reply: Reply) => void): void {
    this.#command = command;
    this.#done = done;
    this.#answer = undefined;
    this.#commandLimitUs = nowUs + (command.settle?.limitUs ?? command.timeoutUs);
    this.#commandDueUs = nowUs + command.timeoutUs;
  }

  /** So many frames were written, each of which the device will answer. */
  wrote(frames: number, nowUs: number): void {
    if (this.unansweredFrames === 0) this.#frameDueUs = nowUs + ackTimeoutUs;
    if (this.#command) this.#behind += frames;
    else this.#before += frames;
  }

  receive(bytes: Uint8Array, nowUs: number): void {
    this.#nowUs = nowUs;
    if (this.#isProbing) this.probeStats.countNoise(bytes);
    this.#splitter.push(bytes);
    const settle = this.#command?.settle;
    if (settle) this.#commandDueUs = Math.min(nowUs + settle.quietUs, this.#commandLimitUs);
  }

  /** Gives up what is overdue. */
  tick(nowUs: number): void {
    this.#nowUs = nowUs;
    if (nowUs >= this.#frameDueUs) this.#giveUpFrames();
    if (nowUs >= this.#commandDueUs) this.#endWait();
  }

  /** The line is gone, with everything that was waited for. */
  end(): void {
    this.#before = 0;
    this.#behind = 0;
    this.#frameDueUs = Number.POSITIVE_INFINITY;
    if (this.#command) this.#reply('gone', '');
  }

  line(bytes: Uint8Array, length: number): void {
    const first = bytes[0] as number;
    if (length === 0) this.#takeEnd();
    else if (beginsAsFrame(first) && this.#isFrame(bytes, length)) {
      if (this.#stampDigits === undefined) this.probeStats.frames += 1;
      else this.#events.frame(this.#frame, this.#nowUs);
    } else if (length === 1 && (first === smallZ || first === largeZ)) this.#takeFrameAnswer();
    else if (this.#isAnswer(bytes, length) || this.#isReport(bytes, length)) return;
    else if (!this.#isLateAnswer(bytes, length)) this.garbage();
  }

  bell(): void {
    if (this.#before > 0) this.#refuseFrame();
    else if (this.#command && !this.#isAmongStrays) this.#reply('refused', '');
    else this.#takeStray();
  }

  garbage(): void {
    this.malformed += 1;
    if (this.#isProbing) this.probeStats.words += 1;
  }

  #isFrame(bytes: Uint8Array, length: number): boolean {
    const digits = this.#stampDigits;
    if (digits === undefined) {
      return anyStampDigits.some((count) => readFrame(bytes, length, count, this.#frame));
    }
    if (!readFrame(bytes, length, digits, this.#frame)) return false;
    return digits === 0 || DeviceTime.isPossible(this.#frame.stamp, digits);
  }

  /** A bare end of line: a frame was taken, or a command was done. */
  #takeEnd(): void {
    if (this.#before > 0) this.#takeFrameAnswer();
    else if (this.#isEndedByEnd()) this.#reply('ok', '');
    else this.#takeStray();
  }

  #isEndedByEnd(): boolean {
    return this.#command !== undefined && !this.#command.isAnswer && !this.#isAmongStrays;
  }

  /** The answer to the command cannot be told from others that may still come. */
  get #isAmongStrays(): boolean {
    return this.#command?.quietUs !== undefined || this.#command?.settle !== undefined;
  }

  /** An answer to nothing that is known. */
  #takeStray(): void {
    this.malformed += 1;
    if (this.#isProbing) this.probeStats.answers += 1;
    if (!this.#isAmongStrays) return;
    if (!this.#command?.isAnswer) this.#answer = '';
    const quietUs = this.#command?.quietUs;
    if (quietUs !== undefined) this.#awaitQuiet(quietUs);
  }

  #awaitQuiet(quietUs: number): void {
    if (this.#answer === undefined) return;
    this.#commandDueUs = Math.min(this.#nowUs + quietUs, this.#commandLimitUs);
  }

  #endWait(): void {
    const isQuiet = this.#commandDueUs < this.#commandLimitUs;
    if (isQuiet && this.#answer !== undefined) {
      this.#reply('ok', this.#answer);
      return;
    }
    if (!isQuiet && this.#command?.settle) {
      this.#reply('unquiet', '');
      return;
    }
    if (this.#command?.isAnswer) {
      this.#overdue.push({ command: this.#command, untilUs: this.#nowUs + lateUs });
    }
    this.#reply('silent', '');
  }

  #takeFrameAnswer(): void {
    if (!this.#endFrame()) return;
    this.#events.taken(this.#nowUs);
  }

  #refuseFrame(): void {
    if (!this.#endFrame()) return;
    this.#events.refused(this.#nowUs);
  }

  /** The oldest frame has its answer; false if there is none. */
  #endFrame(): boolean {
    if (this.#before > 0) this.#before -= 1;
    else if (this.#behind > 0) this.#behind -= 1;
    else {
      this.#takeStray();
      return false;
    }
    const isLast = this.unansweredFrames === 0;
    this.#frameDueUs = isLast ? Number.POSITIVE_INFINITY : this.#nowUs + ackTimeoutUs;
    return true;
  }

  #isAnswer(bytes: Uint8Array, length: number): boolean {
    const isAnswer = this.#command?.isAnswer;
    const text = isAnswer && readText(bytes, length);
    if (text === undefined || !isAnswer?.(text)) return false;
    const quietUs = this.#command?.quietUs;
    if (quietUs === undefined) this.#reply('ok', text);
    else {
      this.#answer ??= text;
      this.#awaitQuiet(quietUs);
    }
    return true;
  }

  /** Not for what begins as a frame: a garbled one is a frame that was lost. */
  #isLateAnswer(bytes: Uint8Array, length: number): boolean {
    while ((this.#overdue[0]?.untilUs ?? Number.POSITIVE_INFINITY) < this.#nowUs) {
      this.#overdue.shift();
    }
    if (this.#overdue.length === 0 || beginsAsFrame(bytes[0] as number)) return false;
    const text = readText(bytes, length);
    if (text === undefined) return false;
    const index = this.#overdue.findIndex(({ command }) => command.isAnswer?.(text));
    if (index !== -1) this.#overdue.splice(index, 1);
    return index !== -1;
  }

  #isReport(bytes: Uint8Array, length: number): boolean {
    const state = readState(bytes, length);
    if (state) this.#events.state(state, this.#nowUs);
    if (state) return true;
    const letters = readErrors(bytes, length);
    if (letters) this.#events.errors(letters, this.#nowUs);
    return letters !== undefined;
  }

  #reply(outcome: Reply['outcome'], text: string): void {
    this.#command = undefined;
    this.#answer = undefined;
    this.#commandDueUs = Number.POSITIVE_INFINITY;
    this.#before += this.#behind;
    this.#behind = 0;
    this.#done({ outcome, text });
  }

  #giveUpFrames(): void {
    const frames = this.unansweredFrames;
    this.#before = 0;
    this.#behind = 0;
    this.#frameDueUs = Number.POSITIVE_INFINITY;
    this.#events.unanswered(frames, this.#nowUs);
  }
}
