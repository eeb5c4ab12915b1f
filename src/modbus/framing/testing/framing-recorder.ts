import { hexOf } from '../../pdu/testing/bytes-of.ts';
import type { FrameReceiver, Framing, FramingProblem } from '../framing.ts';

export interface RecordedFrame {
  readonly transaction: number;
  readonly unit: number;
  readonly pdu: string;
}

/** A framing with its own time, and all its reports. */
export class FramingRecorder implements FrameReceiver {
  readonly framing: Framing;
  readonly frames: RecordedFrame[] = [];
  readonly problems: Pick<FramingProblem, 'kind' | 'discarded' | 'fatal'>[] = [];
  /** Subjects of the problems: the first bytes, and the frame length. */
  readonly damages: { readonly bytes: string; readonly claim: FramingProblem['claim'] }[] = [];
  /** Called for every report. */
  onFrame: () => void = () => {};
  onProblem: () => void = () => {};
  nowUs = 1_000_000;

  constructor(create: (receiver: FrameReceiver) => Framing) {
    this.framing = create(this);
  }

  frame(transaction: number, unit: number, bytes: Uint8Array, at: number, length: number): void {
    this.frames.push({ transaction, unit, pdu: hexOf(bytes.subarray(at, at + length)) });
    this.onFrame();
  }

  problem({ bytes, claim, ...problem }: FramingProblem): void {
    this.problems.push(problem);
    this.damages.push({ bytes: hexOf(bytes), claim });
    this.onProblem();
  }

  get problemKinds(): readonly string[] {
    return this.problems.map(({ kind }) => kind);
  }

  get discarded(): number {
    return this.problems.reduce((sum, { discarded }) => sum + discarded, 0);
  }

  /** Receives bytes in one chunk. */
  hear(...pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.framing.push(piece, this.nowUs);
  }

  /** Advances the time, and wakes the framing at the requested time. */
  pass(us: number): void {
    const until = this.nowUs + us;
    while (this.framing.nextDeadlineUs <= until) {
      const deadline = this.framing.nextDeadlineUs;
      this.nowUs = Math.max(this.nowUs, deadline);
      this.framing.idle(this.nowUs);
      if (this.framing.nextDeadlineUs === deadline) throw new TypeError('Idle changed nothing');
    }
    this.nowUs = until;
  }

  /** Silence after which nothing is pending. */
  passSilence(): void {
    this.pass(10_000_000);
  }

  encoded({ transaction, unit, pdu }: FrameToSend): Uint8Array {
    const into = new Uint8Array(this.framing.maxLength);
    return into.slice(0, this.framing.encode(into, 0, transaction ?? 0, unit, pdu, 0, pdu.length));
  }

  /** Notifies the framing of a sent frame. */
  send(frame: FrameToSend): Uint8Array {
    const bytes = this.encoded(frame);
    this.framing.sent();
    return bytes;
  }
}

export interface FrameToSend {
  readonly transaction?: number;
  readonly unit: number;
  readonly pdu: Uint8Array;
}

/** A frame as stored by a recorder. */
export const asRecorded = ({ transaction = 0, unit, pdu }: FrameToSend): RecordedFrame => ({
  transaction,
  unit,
  pdu: hexOf(pdu),
});
