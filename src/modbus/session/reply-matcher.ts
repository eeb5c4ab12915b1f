import type { FrameReceiver, FramingProblem } from '../framing/framing.ts';
import { decodeResponse } from '../pdu/decode-response.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { ExceptionResponse, InvalidResponse } from '../pdu/responses.ts';
import type { GoodResponse } from './exchange.ts';
import type { SessionCounters } from './session-counters.ts';
import { type BadReply, type InvalidPart, invalidReply, problemReply } from './session-errors.ts';
import type { SessionLink } from './session-link.ts';
import type { SessionUnits } from './session-units.ts';
import type { Turn } from './turn.ts';
import type { UnitProbe } from './unit-probe.ts';

export interface ReplyListener {
  answered(response: GoodResponse | ExceptionResponse): void;
  corrupted(reply: BadReply): void;
  /** A connection delivered an unrequested frame, and may do so again. */
  confused(): void;
}

const frameText = (unit: number, bytes: Uint8Array, at: number, length: number): string =>
  Buffer.from([unit, ...bytes.subarray(at, at + length)])
    .toString('hex')
    .toUpperCase();

/** Matches frames to the outstanding request or to an abandoned one. */
export class ReplyMatcher implements FrameReceiver {
  readonly #turn: Turn;
  readonly #units: SessionUnits;
  readonly #probe: UnitProbe;
  readonly #counters: SessionCounters;
  readonly #listener: ReplyListener;
  #link: SessionLink | undefined;
  #heardUs = Number.NEGATIVE_INFINITY;
  #heardUnit = 0;

  constructor(
    turn: Turn,
    units: SessionUnits,
    probe: UnitProbe,
    counters: SessionCounters,
    listener: ReplyListener,
  ) {
    this.#turn = turn;
    this.#units = units;
    this.#probe = probe;
    this.#counters = counters;
    this.#listener = listener;
  }

  attach(link: SessionLink): void {
    this.#link = link;
  }

  frame(transaction: number, unit: number, bytes: Uint8Array, at: number, length: number): void {
    const link = this.#link as SessionLink;
    const turn = this.#turn;
    if (!link.carriesTransactions) {
      this.#takeUnnumbered(unit, bytes, at, length);
    } else if (turn.phase !== 'awaiting') {
      this.#counters.counts.protocol_errors += 1;
      this.#listener.confused();
    } else if (transaction === link.transaction && unit === turn.unit) {
      this.#takeAnswer(bytes, at, length);
    } else if (transaction === link.transaction) {
      this.#spoil('unit', `The response is from unit ${unit}`, unit, bytes, at, length);
    } else {
      const message = `The response has transaction ID ${transaction}, not ${link.transaction}`;
      this.#spoil('transaction', message, unit, bytes, at, length);
    }
  }

  problem({ kind, fatal, bytes, claim }: FramingProblem): void {
    const turn = this.#turn;
    this.#counters.counts.protocol_errors += 1;
    if (turn.phase !== 'awaiting') {
      if (fatal) this.#listener.confused();
      return;
    }
    const isAlone = !this.#units.mayAnySpeakLate(this.#nowUs());
    const isAnswer = claim !== undefined && turn.isAnsweredBy(claim, isAlone);
    const isFrame = isAnswer && kind === 'garbage';
    turn.badReply = problemReply(isFrame ? 'bad_checksum' : kind, bytes);
    if (fatal || isAnswer) this.#listener.corrupted(turn.badReply);
  }

  #nowUs(): number {
    return (this.#link as SessionLink).takenUs;
  }

  #takeUnnumbered(unit: number, bytes: Uint8Array, at: number, length: number): void {
    const { phase, isProbing, unit: askedUnit } = this.#turn;
    const isAsked = phase === 'awaiting' && unit === askedUnit;
    const probed = this.#probe.answerIn(bytes, at, length);
    if (isAsked && !isProbing && probed === 'none') this.#takeAnswer(bytes, at, length);
    else if (isAsked && isProbing) this.#takeProbed(probed !== 'none', bytes, at, length);
    else this.#takeStray(unit, bytes, at, length);
  }

  /** While a probe is outstanding, any frame of its unit may settle an outstanding response. */
  #takeProbed(isOfProbe: boolean, bytes: Uint8Array, at: number, length: number): void {
    const turn = this.#turn;
    const { record, request } = turn;
    if (!isOfProbe) this.#counters.counts.protocol_errors += 1;
    record.hear(this.#probe.answerIn(bytes, at, length), bytes, at, length);
    if (!record.hasOutstanding(request as ModbusRequest)) turn.restart(this.#nowUs());
  }

  #takeStray(unit: number, bytes: Uint8Array, at: number, length: number): void {
    const { phase, isProbing, unit: askedUnit } = this.#turn;
    if (this.#isCopy(unit)) {
      this.#counters.counts.protocol_errors += 1;
      return;
    }
    const record = this.#units.find(unit);
    const isOwed = record?.hear(this.#probe.answerIn(bytes, at, length), bytes, at, length);
    const isLate = isOwed || record?.maySpeakLate(this.#nowUs());
    if (phase !== 'awaiting' || isProbing || unit === askedUnit || isLate) {
      this.#counters.counts.protocol_errors += 1;
      return;
    }
    this.#spoil('unit', `The response is from unit ${unit}`, unit, bytes, at, length);
  }

  #takeAnswer(bytes: Uint8Array, at: number, length: number): void {
    const { record, request } = this.#turn;
    const response = decodeResponse(request as ModbusRequest, bytes, at, length);
    if (response.kind === 'invalid') this.#takeFlawed(response, bytes, at, length);
    else if (record.isHealthy || this.#isFresh(response.kind, bytes, at, length)) {
      this.#listener.answered(response);
    }
  }

  /** It may be the late response to another kind of request. Then the response is still to come. */
  #takeFlawed({ error, message }: InvalidResponse, bytes: Uint8Array, at: number, length: number) {
    const turn = this.#turn;
    const { record, unit } = turn;
    if (!record.hear('none', bytes, at, length) && !record.maySpeakLate(this.#nowUs())) {
      this.#spoil(error, message, unit, bytes, at, length);
      return;
    }
    this.#counters.counts.protocol_errors += 1;
    turn.badReply = invalidReply(error, message, frameText(unit, bytes, at, length));
  }

  #isFresh(
    kind: (GoodResponse | ExceptionResponse)['kind'],
    bytes: Uint8Array,
    at: number,
    length: number,
  ): boolean {
    const turn = this.#turn;
    this.#isCopy(turn.unit);
    if (turn.passOver()) {
      turn.restart(this.#nowUs());
      return false;
    }
    if (turn.isRepeated) return true;
    const { record, request, unit } = turn;
    if (kind === 'exception' && record.outstandingOf((request as ModbusRequest).function) > 0) {
      const message = 'The exception may belong to an earlier request';
      this.#spoil('exception', message, unit, bytes, at, length);
      return false;
    }
    record.settle();
    return true;
  }

  #isCopy(unit: number): boolean {
    const isCopy = unit === this.#heardUnit && this.#nowUs() === this.#heardUs;
    this.#heardUnit = unit;
    this.#heardUs = this.#nowUs();
    return isCopy;
  }

  #spoil(
    wrong: InvalidPart | InvalidResponse['error'],
    message: string,
    unit: number,
    bytes: Uint8Array,
    at: number,
    length: number,
  ): void {
    this.#counters.counts.protocol_errors += 1;
    this.#listener.corrupted(invalidReply(wrong, message, frameText(unit, bytes, at, length)));
  }
}
