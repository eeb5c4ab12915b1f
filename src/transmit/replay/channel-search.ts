import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { channelText } from '../../trace/channel-key.ts';
import { type ReplayRoutes, replayRoutes } from './replay-routes.ts';
import type { FoundChannels } from './trace-stream.ts';

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

  learn(names: readonly (readonly [key: number, name: string])[]): void {
    this.#routes.learn(names);
    // Channel names of other formats cannot be used in requests.
    if (this.#hasNames) for (const [key, name] of names) this.#names.set(key, name);
  }

  see(key: number): void {
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const text = this.#routes.targetOf(key);
    if (text !== undefined) this.#missing.delete(text);
  }

  get isDone(): boolean {
    return this.#missing.size === 0;
  }

  get missing(): readonly string[] {
    return [...this.#missing];
  }

  get channels(): readonly string[] {
    return [...this.#seen]
      .sort((a, b) => a - b)
      .map((key) => this.#names.get(key) ?? channelText(key));
  }
}

/**
 * Rejects mappings of channels that the file does not contain or that are mapped under another
 * name.
 */
export const channelsMissing = (
  file: string,
  { missing, channels }: Pick<FoundChannels, 'missing' | 'channels'>,
): BusbarError => {
  const twice = missing.find((text) => channels.includes(text));
  if (twice !== undefined) {
    const advice = `Channel ${twice} of ${file} is mapped twice`;
    return invalidArgument('channels', advice, { reason: 'mapped_twice', file_channel: twice });
  }
  const others =
    channels.length > 0 ? `available: ${channels.join(', ')}` : 'the file has no events';
  return invalidArgument('channels', `${file} has no channel ${missing.join(', ')}; ${others}`, {
    reason: 'no_such_channel',
    file_channel: missing[0],
    file_channels: channels,
  });
};
