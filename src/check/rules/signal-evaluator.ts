import { CompiledReader, type SignalReader } from '../../condition/signal-test.ts';
import type { Message, Signal } from '../../database/model.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import { Evaluator, type FrameHandler } from './evaluator.ts';

/** Judges values of a signal. Payloads that do not have it are not judged. */
export abstract class SignalEvaluator extends Evaluator {
  /** A handler of the payloads of a message that has the signal. */
  handlerFor(message: Message, index: number): FrameHandler {
    const signal = message.signals[index] as Signal;
    const reader = new CompiledReader(message, index);
    const judge = this.judgeFor(signal);
    let payload: Uint8Array | null = null;
    let view: DataView = new DataView(new ArrayBuffer(0));
    return {
      frame: (batch: TraceBatch, row: number, timeNs: number, number: number, key: number) => {
        if (batch.payload !== payload) {
          ({ payload } = batch);
          view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
        }
        if (!reader.read(view, row * maxFdLength, batch.length[row] as number)) return;
        judge(reader, timeNs, number, key);
      },
      long: (bytes, timeNs, number, key) => {
        const whole = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        if (reader.read(whole, 0, bytes.length)) judge(reader, timeNs, number, key);
      },
    };
  }

  protected abstract judgeFor(
    signal: Signal,
  ): (reader: SignalReader, timeNs: number, number: number, key: number) => void;
}
