import { canControllerError, canErrorClass, canErrorLength } from '../../frame/can-error-frame.ts';
import { eventStatus } from '../event-status.ts';
import type { PortReporter } from '../port-reporter.ts';

/** Messages that the kernel had no room for in a socket, told as an overrun of the controller. */
export class SocketDrops {
  readonly #reporter: PortReporter;
  readonly #details = new Uint8Array(canErrorLength);
  readonly #view = new DataView(this.#details.buffer);
  #told = 0;

  constructor(reporter: PortReporter) {
    this.#reporter = reporter;
  }

  /** How many have been told. */
  get told(): number {
    return this.#told;
  }

  /** The socket is another one. */
  restart(): void {
    this.#told = 0;
  }

  /** The socket has dropped so many by now. Tells how many of them are news, and says so. */
  note(drops: number, atUs: number): number {
    const missing = (drops - this.#told) >>> 0;
    // A message that was queued earlier tells of fewer than are known.
    if (missing === 0 || missing > 0x7fff_ffff) return 0;
    this.#told = drops;
    this.#details[1] = canControllerError.rxOverflow;
    this.#view.setUint32(4, missing);
    this.#reporter.canState(canErrorClass.controller, eventStatus.overrun, this.#details, atUs);
    return missing;
  }
}
