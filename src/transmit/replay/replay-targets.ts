import { BusbarError, withField } from '../../base/errors/busbar-error.ts';
import type { FoundSendChannel, SendChannel } from '../send-channel.ts';

/** Finds an open channel by its selector, as its caller means it. */
export type FindChannel = (selector: string) => Promise<FoundSendChannel>;

const field = 'channels';

const refused = (thrown: unknown, channel: string): BusbarError =>
  withField(field, thrown, { channel });

/** The channels that a replay is to send on, watched until it does so itself. */
export class ReplayTargets {
  /** By what the file calls the channel whose events they get. */
  readonly channels = new Map<string, SendChannel>();
  readonly #stopWatching: (() => void)[] = [];
  #closed: string | undefined;

  /** Refuses a selector as sending does, naming the field `channels`. */
  async find(mappings: Readonly<Record<string, string>>, find: FindChannel): Promise<void> {
    for (const [key, selector] of Object.entries(mappings)) {
      try {
        const { channel } = await find(selector);
        this.channels.set(key, channel);
        this.#watch(channel, selector);
      } catch (thrown) {
        throw refused(thrown, selector);
      }
    }
  }

  /** Finding them all takes time, in which one that was found may have been closed. */
  checkOpen(): void {
    if (this.#closed === undefined) return;
    throw new BusbarError('channel_not_open', {
      message: `${this.#closed} was closed before the replay began`,
      details: { field, channel: this.#closed },
    });
  }

  release(): void {
    for (const stop of this.#stopWatching.splice(0)) stop();
  }

  #watch(channel: SendChannel, selector: string): void {
    const stop = channel.onInterrupted((why) => {
      if (why === 'closed') this.#closed = selector;
    });
    this.#stopWatching.push(stop);
  }
}
