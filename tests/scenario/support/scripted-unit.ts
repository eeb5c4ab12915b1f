import { onTestFinished } from 'vitest';
import type { ByteLink } from '../../../src/base/serial/byte-link.ts';
import { createSerialFraming } from '../../../src/modbus/framing/serial-framing.ts';
import { defaultSettings } from '../../../src/modbus/transport/endpoint-text.ts';
import { openSerialLink } from '../../../src/modbus/transport/serial-link.ts';

/** What a unit sends for one request: bytes, or nothing. */
export type Act = (answer: Uint8Array, send: (bytes: Uint8Array) => void) => void;

/** A unit that answers reads of registers on an RTU line with 42, and ignores probes. */
export class ScriptedUnit {
  /** Received PDUs, in hex. */
  readonly asked: string[] = [];
  /** Responses to the next requests, before the default one. */
  readonly acts: Act[] = [];
  #port: ByteLink | undefined;

  static async at(path: string): Promise<ScriptedUnit> {
    const unit = new ScriptedUnit();
    await unit.#open(path);
    onTestFinished(() => unit.#port?.close());
    return unit;
  }

  #open(path: string): Promise<void> {
    const settings = defaultSettings.rtu;
    const { baudRate } = settings;
    const framing = createSerialFraming(
      {
        frame: (_, unit, bytes, at, length) => {
          const request = bytes.slice(at, at + length);
          this.asked.push(Buffer.from(request).toString('hex'));
          if (request[0] === 8) return;
          const count = request[4] ?? 0;
          const pdu = new Uint8Array(2 + 2 * count).fill(0);
          pdu.set([request[0] ?? 0, 2 * count]);
          for (let item = 0; item < count; item++) pdu[3 + 2 * item] = 42;
          const into = new Uint8Array(framing.maxLength);
          const end = framing.encode(into, 0, 0, unit, pdu, 0, pdu.length);
          const behave: Act = (answer, send) => send(answer);
          const act = this.acts.shift() ?? behave;
          act(into.slice(0, end), (sent) => this.#port?.write(sent));
        },
        problem: () => undefined,
      },
      { kind: 'rtu', side: 'server', baudRate },
    );
    return new Promise((resolve, reject) => {
      this.#port = openSerialLink(
        { path, settings },
        {
          opened: resolve,
          bytes: (bytes) => framing.push(bytes, performance.now() * 1000),
          closed: reject,
        },
      );
    });
  }
}
