import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { channelText } from '../../trace/channel-key.ts';
import { type ReplayRoutes, replayRoutes } from './replay-routes.ts';
import type { FoundChannels } from './trace-stream.ts';

/** Finds out which of the channels that a request maps are in a file. */
export class ChannelSearch {
  readonly #hasNames: boolean;
  readonly #routes: ReplayRoutes<string>;
  readonly #missing: Set<string>;
  readonly #seen = new Set<number>();
  readonly #names = new Map<number, string>();

  constructor(mapped: readonly string[], hasNames: boolean) {
    this.#hasNames = hasNames;
    this.#missing = new Set(mapped);
    this.#routes = replayRoutes(new Map(mapped.map((text) => [text, text])), hasNames);
  }

  /** Takes the names of channels that have turned up. */
  learn(names: readonly (readonly [key: number, name: string])[]): void {
    this.#routes.learn(names);
    // What another format calls its channels is not what a request can name them by.
    if (this.#hasNames) for (const [key, name] of names) this.#names.set(key, name);
  }

  /** An event of that channel is in the file. */
  see(key: number): void {
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const text = this.#routes.targetOf(key);
    if (text !== undefined) this.#missing.delete(text);
  }

  /** Events of all mapped channels were seen. */
  get isDone(): boolean {
    return this.#missing.size === 0;
  }

  /** Mapped channels that no event was seen of. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** The channels that were seen, as a request may name them. */
  get channels(): readonly string[] {
    return [...this.#seen]
      .sort((a, b) => a - b)
      .map((key) => this.#names.get(key) ?? channelText(key));
  }
}

/** Refuses a mapping of channels that the file does not have, or has under another name already. */
export const channelsMissing = (
  file: string,
  { missing, channels }: Pick<FoundChannels, 'missing' | 'channels'>,
): BusbarError => {
  const twice = missing.find((text) => channels.includes(text));
  if (twice !== undefined) {
    const advice = `Another mapping takes all of channel ${twice} of ${file}: map it once`;
    return invalidArgument('channels', advice, { reason: 'mapped_twice', file_channel: twice });
  }
  const others = channels.length > 0 ? `it has ${channels.join(', ')}` : 'it has no events';
  return invalidArgument('channels', `${file} has no channel ${missing.join(', ')}: ${others}`, {
    reason: 'no_such_channel',
    file_channel: missing[0],
    file_channels: channels,
  });
};
