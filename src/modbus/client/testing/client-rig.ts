import { SessionRig } from '../../session/testing/session-rig.ts';
import { ModbusClient } from '../modbus-client.ts';

/** A client of unit 1 over TCP; the test answers, or the given PDUs do. */
export class ClientRig extends SessionRig {
  readonly client = new ModbusClient(this.session, 1);
  /** Request PDUs in hex. */
  readonly asked: string[] = [];

  constructor(answers: readonly string[] | ((pdu: string, index: number) => string) = []) {
    super('tcp');
    const answerTo =
      typeof answers === 'function' ? answers : (_: string, index: number) => answers[index];
    this.transport.accepts(this.clock, (link) => {
      link.onWrite = (bytes) => {
        const pdu = Buffer.from(bytes.slice(7)).toString('hex');
        const answer = answerTo(pdu, this.asked.push(pdu) - 1);
        if (answer === undefined) return;
        const length = (answer.length / 2 + 1).toString(16).padStart(4, '0');
        const header = Buffer.from(bytes.slice(0, 4)).toString('hex');
        const unit = (bytes[6] as number).toString(16).padStart(2, '0');
        this.clock.after(1, () => link.receive(header + length + unit + answer));
      };
    });
  }

  /** Advances the time until the promise is settled. */
  async done<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    promise.then(settle, settle);
    while (!isSettled) {
      this.advanceMs(1);
      // Turns of the client after a response.
      for (let turn = 0; turn < 8; turn++) await undefined;
    }
    return promise;
  }
}
