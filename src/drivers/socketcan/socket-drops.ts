import { canControllerError, canErrorClass, canErrorLength } from '../../frame/can-error-frame.ts';
import { eventStatus } from '../event-status.ts';
import type { PortReporter } from '../port-reporter.ts';

export class SocketDrops {
  readonly #reporter: PortReporter;
  readonly #details = new Uint8Array(canErrorLength);
  readonly #view = new DataView(this.#details.buffer);
  #reported = 0;

  constructor(reporter: PortReporter) {
    this.#reporter = reporter;
  }

  get reported(): number {
    return this.#reported;
  }

  restart(): void {
    this.#reported = 0;
  }

  note(drops: number, atUs: number): number {
    const missing = (drops - this.#reported) >>> 0;
    // An earlier message reports fewer drops.
    if (missing === 0 || missing > 0x7fff_ffff) return 0;
    this.#reported = drops;
    this.#details[1] = canControllerError.rxOverflow;
    this.#view.setUint32(4, missing);
    this.#reporter.canState(canErrorClass.controller, eventStatus.overrun, this.#details, atUs);
    return missing;
  }
}
