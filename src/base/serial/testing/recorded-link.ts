import { Deferred } from '../../deferred.ts';
import type { BusbarError } from '../../errors/busbar-error.ts';
import { eventually } from '../../testing/eventually.ts';
import type { ByteLink, LinkReceiver } from '../byte-link.ts';

/** Records the reports of a link, and lets a test wait for them. */
export class RecordedLink implements LinkReceiver {
  readonly #opened = new Deferred<void>();
  readonly #closed = new Deferred<BusbarError | undefined>();
  readonly events: string[] = [];
  text = '';

  static open(open: (receiver: LinkReceiver) => ByteLink): {
    readonly received: RecordedLink;
    readonly link: ByteLink;
  } {
    const received = new RecordedLink();
    return { received, link: open(received) };
  }

  get whenOpened(): Promise<void> {
    return this.#opened.promise;
  }

  get whenClosed(): Promise<BusbarError | undefined> {
    return this.#closed.promise;
  }

  until(text: string): Promise<void> {
    return eventually(() => this.text.includes(text));
  }

  opened(): void {
    this.events.push('opened');
    this.#opened.resolve();
  }

  bytes(bytes: Uint8Array): void {
    this.text += Buffer.from(bytes).toString('latin1');
  }

  closed(error: BusbarError | undefined): void {
    this.events.push('closed');
    this.#closed.resolve(error);
  }
}
