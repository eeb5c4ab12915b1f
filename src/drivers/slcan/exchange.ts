import { DeviceTime } from './device-time.ts';
import { beginsAsFrame, readFrame, SlcanFrame, type StampDigits } from './frame-text.ts';
import {
  type BusErrorLetter,
  type ControllerState,
  readErrors,
  readState,
  readText,
} from './status-text.ts';

/** Ends a line. A bell rejects a command. */
const carriageReturn = 0x0d;

const bell = 0x07;

const lineFeed = 0x0a;

/** Maximum line length. The longest frame has 147 characters; version texts vary. */
export const maxLineLength = 256;

interface LineReceiver {
  /** A line without its terminator, valid only during the call. */
  line(bytes: Uint8Array, length: number): void;
  bell(): void;
  /** Invalid input: too long, or cut off by a bell. */
  garbage(): void;
}

export class LineSplitter {
  readonly #receiver: LineReceiver;
  readonly #bytes = new Uint8Array(maxLineLength);
  #length = 0;
  #isOverlong = false;

  constructor(receiver: LineReceiver) {
    this.#receiver = receiver;
  }

  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (byte === carriageReturn) this.#endLine();
      else if (byte === bell) this.#ring();
      else if (this.#length < maxLineLength) this.#keep(byte);
      else if (!this.#isOverlong) {
        this.#isOverlong = true;
        this.#receiver.garbage();
      }
    }
  }

  reset(): void {
    this.#length = 0;
    this.#isOverlong = false;
  }

  #keep(byte: number): void {
    // Some firmware ends lines with CR and LF.
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

export class ProbeStats {
  /** Bytes that slcan does not use, which indicate a wrong baud rate. */
  noise = 0;
  frames = 0;
  /** Bare line ends and bells. */
  answers = 0;
  words = 0;

  countNoise(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const isControl = byte === carriageReturn || byte === lineFeed || byte === bell;
      if ((byte < 0x20 || byte > 0x7e) && !isControl) this.noise += 1;
    }
  }
}

export interface Command {
  readonly text: string;
  readonly timeoutUs: number;
  /** Returns whether a line is the response. Default: a bare line end. */
  readonly isAnswer?: (line: string) => boolean;
  /**
   * Late responses to earlier output may still arrive. The command's own response counts after
   * this much quiet.
   */
  readonly quietUs?: number;
  /** Queued output may still arrive. The command completes after this much quiet. */
  readonly settle?: { readonly quietUs: number; readonly limitUs: number };
}

export interface Reply {
  readonly outcome: 'ok' | 'refused' | 'silent' | 'gone' | 'unquiet';
  readonly text: string;
}

export interface ExchangeEvents {
  frame(frame: SlcanFrame, nowUs: number): void;
  taken(nowUs: number): void;
  refused(nowUs: number): void;
  unanswered(frames: number, nowUs: number): void;
  state(state: ControllerState, nowUs: number): void;
  errors(letters: readonly BusErrorLetter[], nowUs: number): void;
}

const smallZ = 0x7a;
const largeZ = 0x5a;
/** Responses take milliseconds, tens of milliseconds on slow lines. */
export const ackTimeoutUs = 1_000_000;

const anyStampDigits: readonly StampDigits[] = [0, 4, 8];

/** No late response is expected after this time. */
const lateUs = 5_000_000;

/**
 * Matches a device's responses to its input. Responses have no number and arrive in order, so
 * counting the frames before and after the single command is enough:
 *
 *     written:   t… t… t…   F   t… t…        #before = 3, a command, #after = 2
 *
 * It has no clock: calls pass the time, and `deadlineUs` is the next deadline.
 */
export class Exchange implements LineReceiver {
  malformed = 0;
  readonly probeStats = new ProbeStats();
  readonly #events: ExchangeEvents;
  readonly #splitter = new LineSplitter(this);
  readonly #frame = new SlcanFrame();
  #isProbing = false;
  #stampDigits: StampDigits | undefined;
  #nowUs = 0;
  #before = 0;
  #after = 0;
  #command: Command | undefined;
  #done: (reply: Reply) => void = () => undefined;
  #commandDueUs = Number.POSITIVE_INFINITY;
  /** Timeout of the command, even if the line is not quiet. */
  #commandLimitUs = Number.POSITIVE_INFINITY;
  #answer: string | undefined;
  #frameDueUs = Number.POSITIVE_INFINITY;
  readonly #overdue: { readonly command: Command; readonly untilUs: number }[] = [];

  constructor(events: ExchangeEvents) {
    this.#events = events;
  }

  set isProbing(isProbing: boolean) {
    this.#isProbing = isProbing;
    if (isProbing) this.#stampDigits = undefined;
  }

  set stampDigits(digits: StampDigits) {
    this.#stampDigits = digits;
  }

  get unansweredFrames(): number {
    return this.#before + this.#after;
  }

  get deadlineUs(): number {
    return Math.min(this.#commandDueUs, this.#frameDueUs);
  }

  ask(command: Command, nowUs: number, done: (reply: Reply) => void): void {
    this.#command = command;
    this.#done = done;
    this.#answer = undefined;
    this.#commandLimitUs = nowUs + (command.settle?.limitUs ?? command.timeoutUs);
    this.#commandDueUs = nowUs + command.timeoutUs;
  }

  wrote(frames: number, nowUs: number): void {
    if (this.unansweredFrames === 0) this.#frameDueUs = nowUs + ackTimeoutUs;
    if (this.#command) this.#after += frames;
    else this.#before += frames;
  }

  receive(bytes: Uint8Array, nowUs: number): void {
    this.#nowUs = nowUs;
    if (this.#isProbing) this.probeStats.countNoise(bytes);
    this.#splitter.push(bytes);
    const settle = this.#command?.settle;
    if (settle) this.#commandDueUs = Math.min(nowUs + settle.quietUs, this.#commandLimitUs);
  }

  tick(nowUs: number): void {
    this.#nowUs = nowUs;
    if (nowUs >= this.#frameDueUs) this.#giveUpFrames();
    if (nowUs >= this.#commandDueUs) this.#endWait();
  }

  end(): void {
    this.#before = 0;
    this.#after = 0;
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

  #takeEnd(): void {
    if (this.#before > 0) this.#takeFrameAnswer();
    else if (this.#isEndedByEnd()) this.#reply('ok', '');
    else this.#takeStray();
  }

  #isEndedByEnd(): boolean {
    return this.#command !== undefined && !this.#command.isAnswer && !this.#isAmongStrays;
  }

  /** The response cannot be distinguished from late ones. */
  get #isAmongStrays(): boolean {
    return this.#command?.quietUs !== undefined || this.#command?.settle !== undefined;
  }

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

  #endFrame(): boolean {
    if (this.#before > 0) this.#before -= 1;
    else if (this.#after > 0) this.#after -= 1;
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

  /** A garbled frame is a lost frame, not a response. */
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
    this.#before += this.#after;
    this.#after = 0;
    this.#done({ outcome, text });
  }

  #giveUpFrames(): void {
    const frames = this.unansweredFrames;
    this.#before = 0;
    this.#after = 0;
    this.#frameDueUs = Number.POSITIVE_INFINITY;
    this.#events.unanswered(frames, this.#nowUs);
  }
}
