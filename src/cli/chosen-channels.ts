import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { channelKeysOf, channelText } from '../trace/channel-key.ts';
import { TraceFilter } from '../trace/convert-trace.ts';

const noSuchChannel = (text: string, met: Iterable<number>): BusbarError => {
  const channels = [...met].sort((a, b) => a - b).map(channelText);
  const others = channels.length > 0 ? `it has ${channels.join(', ')}` : 'it has no events';
  return invalidArgument('channel', `The input has no channel ${text}: ${others}`, {
    reason: 'no_such_channel',
    channel: text,
    file_channels: channels,
  });
};

/** The channels that are to be taken over; everything if nothing was said. */
export class ChosenChannels {
  readonly filter: TraceFilter | undefined;
  readonly #texts: readonly string[];

  constructor(texts: readonly string[] = []) {
    this.#texts = texts;
    const wrong = texts.find((text) => channelKeysOf(text).length === 0);
    if (wrong !== undefined) throw invalidArgument('channel', `There is no channel ${wrong}`);
    if (texts.length > 0) this.filter = new TraceFilter(texts.flatMap(channelKeysOf));
  }

  /** Refuses a channel that the input turned out not to have: what was meant is another one. */
  check(): void {
    const met = this.filter?.met ?? new Set();
    const absent = this.#texts.find((text) => !channelKeysOf(text).some((key) => met.has(key)));
    if (absent !== undefined) throw noSuchChannel(absent, met);
  }
}
