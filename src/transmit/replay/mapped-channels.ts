import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { channelKeyAt, channelText } from '../../trace/channel-key.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { TraceFormat } from '../../trace/trace-format.ts';
import { isChannelNumber, type ReplayRoutes, replayRoutes } from './replay-routes.ts';
import { rowChannel } from './trace-stream.ts';

/** A mapping of one file among several: `2:can0` is can0 of the second file. */
const ofOneFile = /^([1-9]|1[0-6]):(.+)$/s;

interface ReplayedFile {
  readonly file: string;
  readonly format: TraceFormat;
}

type ChannelNames = readonly (readonly [key: number, name: string])[];

/** The channels of one file. Its mappings are numbers: their position in the request, from 1. */
export class FileChannels {
  readonly #hasNames: boolean;
  readonly #routes: ReplayRoutes<number>;
  readonly #names = new Map<number, string>();
  readonly #targets = new Map<number, number>();

  constructor(mappings: ReadonlyMap<string, number>, hasNames: boolean) {
    this.#hasNames = hasNames;
    this.#routes = replayRoutes(mappings, hasNames);
  }

  learn(names: ChannelNames): void {
    this.#routes.learn(names);
    // Channel names of other formats cannot be used in requests.
    if (this.#hasNames) for (const [key, name] of names) this.#names.set(key, name);
  }

  /** Replaces the channel of each row by its mapping. */
  route(batch: TraceBatch): void {
    const { channel, count } = batch;
    for (let row = 0; row < count; row++) channel[row] = this.#targetOf(channelKeyAt(batch, row));
  }

  get found(): Iterable<number> {
    return this.#targets.values();
  }

  get texts(): readonly string[] {
    return [...this.#targets.keys()]
      .sort((a, b) => a - b)
      .map((key) => this.#names.get(key) ?? channelText(key));
  }

  #targetOf(key: number): number {
    const known = this.#targets.get(key);
    if (known !== undefined) return known;
    const target = this.#routes.targetOf(key) ?? rowChannel.unmapped;
    this.#targets.set(key, target);
    return target;
  }
}

/**
 * Finds the mapped channels in the files of a replay. A mapping applies to every file that has
 * such a channel, unless it names the file.
 */
export class MappedChannels {
  readonly files: readonly FileChannels[];
  readonly #mapped: readonly string[];
  readonly #replayed: readonly ReplayedFile[];

  constructor(mapped: readonly string[], replayed: readonly ReplayedFile[]) {
    this.#mapped = mapped;
    this.#replayed = replayed;
    this.files = replayed.map(({ format }, index) => {
      const mappings = new Map<string, number>();
      const own = new Set<string>();
      for (const [at, text] of mapped.entries()) {
        const { file, channel } = this.#placeOf(text);
        if (file !== null && file !== index) continue;
        if (file === null && own.has(channel)) continue;
        if (file !== null) own.add(channel);
        mappings.set(channel, at + 1);
      }
      return new FileChannels(mappings, format === 'candump');
    });
  }

  /** Candump logs name channels; other files number them. */
  check(): void {
    const wrong = this.#mapped.find((text) => {
      const { file, channel } = this.#placeOf(text);
      if (isChannelNumber(channel)) return false;
      const files = file === null ? this.#replayed : this.#replayed.slice(file, file + 1);
      return !files.some(({ format }) => format === 'candump');
    });
    if (wrong === undefined) return;
    throw invalidArgument(
      'channels',
      `${wrong} is not a file channel: use 1, C1 for CAN only, L1 for LIN only and so on`,
      { reason: 'bad_file_channel', file_channel: wrong },
    );
  }

  get isDone(): boolean {
    return this.#missing.length === 0;
  }

  /** Reason why a mapping is useless: no such channel, or one that is mapped under another name. */
  get refusal(): BusbarError | null {
    const missing = this.#missing;
    if (missing.length === 0) return null;
    const channels = this.#texts;
    const files = this.#replayed.map(({ file }) => file).join(', ');
    const twice = missing.find((text) => channels.includes(text));
    if (twice !== undefined) {
      return invalidArgument('channels', `Channel ${twice} of ${files} is mapped twice`, {
        reason: 'mapped_twice',
        file_channel: twice,
      });
    }
    const isOne = this.#replayed.length === 1;
    const none = isOne ? 'the file has no events' : 'the files have no events';
    const others = channels.length > 0 ? `available: ${channels.join(', ')}` : none;
    const what = `${files} ${isOne ? 'has' : 'have'} no channel ${missing.join(', ')}`;
    return invalidArgument('channels', `${what}; ${others}`, {
      reason: 'no_such_channel',
      file_channel: missing[0],
      file_channels: channels,
    });
  }

  get #missing(): readonly string[] {
    const found = new Set(this.files.flatMap((file) => [...file.found]));
    return this.#mapped.filter((_, at) => !found.has(at + 1));
  }

  get #texts(): readonly string[] {
    const [only, ...others] = this.files;
    if (only && others.length === 0) return only.texts;
    return this.files.flatMap(({ texts }, at) => texts.map((text) => `${at + 1}:${text}`));
  }

  #placeOf(text: string): { readonly file: number | null; readonly channel: string } {
    const [, number, channel] = (this.#replayed.length > 1 && ofOneFile.exec(text)) || [];
    if (number === undefined || channel === undefined) return { file: null, channel: text };
    return { file: Number(number) - 1, channel };
  }
}
