import { bitsOfField, readBits } from './bits.ts';
import { bitLengthOf, decode, type Raw, rawOfBits } from './codecs.ts';
import { Check, isGood } from './e2e-check.ts';
import { isActive } from './mux.ts';
import {
  containerOf,
  e2eCodecOf,
  type FrameBindingRow,
  frameBindingsOf,
  linearCodecOf,
  type MessageRow,
  type Tables,
} from './project.ts';
import type { ScriptEvent } from './script.ts';
import type { SignalState } from './signals.ts';

type FrameEvent = Extract<ScriptEvent, { kind: 'frame' }>;

/** A received binding and its signal. */
interface Input {
  readonly row: FrameBindingRow;
  readonly message: MessageRow;
  readonly signal: SignalState;
  /** The row of `e2e` with its check. */
  readonly checkId: string | undefined;
  /** Result of the last observation. */
  said: string;
  /** Its endpoint went down, and nothing was observed since it is up again. */
  isDisconnected: boolean;
}

const slice = (data: Uint8Array, at: number, length: number): Uint8Array =>
  data.slice(at, at + length);

/** All inputs by CAN: which frames count, and the quality of inputs. */
export class Inputs {
  readonly rejected = { remote: 0, short: 0, e2e: 0 };
  readonly #tables: Tables;
  readonly #bindings: readonly FrameBindingRow[];
  readonly #inputs: readonly Input[];
  #checks = new Map<string, Check>();

  constructor(tables: Tables, signals: ReadonlyMap<string, SignalState>) {
    this.#tables = tables;
    this.#bindings = frameBindingsOf(tables);
    this.#inputs = this.#bindings.flatMap((row) => {
      const signal = signals.get(row.signal);
      if (row.direction !== 'rx' || signal === undefined) return [];
      const { message } = containerOf(tables, row);
      const checkId = this.#checkOf(row, message);
      return [{ row, message, signal, checkId, said: 'initial', isDisconnected: false }];
    });
  }

  /** A check of a message also covers its PDUs; one of a PDU covers only that PDU. */
  #checkOf(binding: FrameBindingRow, message: MessageRow): string | undefined {
    return this.#tables.e2e.find(
      (row) =>
        row.direction === 'check' &&
        (row.pdu === undefined ? row.message === message.id : row.pdu === binding.pdu),
    )?.id;
  }

  /** Resets checks; inputs are unobserved, and disconnected if the endpoint is down. */
  start(isDown: (endpoint: string) => boolean): void {
    this.#checks = new Map();
    for (const row of this.#tables.e2e) {
      if (row.direction !== 'check') continue;
      const { length } = containerOf(this.#tables, row);
      this.#checks.set(row.id, new Check(e2eCodecOf(this.#tables, row), length));
    }
    for (const input of this.#inputs) {
      input.said = 'initial';
      input.isDisconnected = isDown(input.message.endpoint);
    }
  }

  disconnect(endpoint: string): void {
    for (const row of this.#tables.e2e) {
      if (row.direction !== 'check') continue;
      const { message } = containerOf(this.#tables, row);
      // Frames checked earlier no longer arrive.
      if (message.endpoint === endpoint) this.#checks.get(row.id)?.forgetFrame();
    }
    for (const input of this.#inputs) {
      if (input.message.endpoint === endpoint) input.isDisconnected = true;
    }
  }

  receive(frame: FrameEvent): void {
    const message = this.#tables.messages.find(
      (row) =>
        row.direction === 'rx' &&
        row.endpoint === frame.endpoint &&
        row.can_id === frame.id &&
        (row.extended ?? false) === frame.extended,
    );
    if (message === undefined || frame.completion || frame.error) return;
    if (frame.remote) {
      this.rejected.remote += 1;
      return;
    }
    if (frame.data.length < message.length) {
      this.rejected.short += 1;
      return;
    }
    const data = slice(frame.data, 0, message.length);
    const failed = this.#runChecks(message, data, frame.atUs);
    const inputs = this.#inputs.filter(
      (input) =>
        input.message === message &&
        (input.checkId === undefined || !failed.has(input.checkId)) &&
        isActive(input.row, this.#bindings, (row) => BigInt(this.#rawOf(row, data))),
    );
    for (const input of inputs) this.#observe(input, data, frame.atUs);
  }

  /** Runs the checks of a message; returns the ids of failed checks. */
  #runChecks(message: MessageRow, data: Uint8Array, atUs: number): ReadonlySet<string> {
    const failed = new Set<string>();
    for (const row of this.#tables.e2e) {
      if (row.direction !== 'check') continue;
      const container = containerOf(this.#tables, row);
      if (container.message !== message) continue;
      const bytes = slice(data, container.byteOffset, container.length);
      const result = this.#checks.get(row.id)?.check(bytes, atUs) ?? 'error';
      if (isGood(result)) continue;
      this.rejected.e2e += 1;
      failed.add(row.id);
    }
    return failed;
  }

  #rawOf(binding: FrameBindingRow, data: Uint8Array): Raw {
    const { byteOffset, length } = containerOf(this.#tables, binding);
    const codec = linearCodecOf(this.#tables, binding);
    const order = codec.byte_order ?? 'intel';
    const bits = bitsOfField(binding.start_bit, bitLengthOf(codec), order);
    return rawOfBits(codec, readBits(slice(data, byteOffset, length), bits));
  }

  #observe(input: Input, data: Uint8Array, atUs: number): void {
    const { row, signal } = input;
    const { byteOffset, length } = containerOf(this.#tables, row);
    const validity = row.validity_bit;
    const isMarkedInvalid =
      validity !== undefined && readBits(slice(data, byteOffset, length), [validity]) === 0n;
    const codec = linearCodecOf(this.#tables, row);
    const decoding = isMarkedInvalid
      ? ({ quality: 'invalid' } as const)
      : decode(codec, signal.row.type, this.#rawOf(row, data));
    if (decoding.quality === 'good') signal.value = decoding.value;
    input.said = decoding.quality;
    input.isDisconnected = false;
    signal.observedUs = atUs;
  }

  /** Current values of inputs. */
  setQuality(nowUs: number): void {
    for (const input of this.#inputs) input.signal.quality = this.#qualityOf(input, nowUs);
  }

  /** The first applicable reason. */
  #qualityOf(input: Input, nowUs: number): string {
    const check = input.checkId === undefined ? undefined : this.#checks.get(input.checkId);
    const { observedUs } = input.signal;
    const staleAfterUs = 1000 * (input.message.stale_after_ms ?? 0);
    if (check?.isFailing(nowUs, staleAfterUs)) return 'e2e_error';
    if (input.isDisconnected) return 'disconnected';
    if (observedUs === null) return check?.hasOnlyFailed ? 'timeout' : 'initial';
    if (staleAfterUs > 0 && nowUs - observedUs >= staleAfterUs) return 'timeout';
    return input.said;
  }
}
