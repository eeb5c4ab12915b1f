import type { StreamListener } from '../link/connection.ts';
import type { OutputFormat } from '../operations/global-options.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import type { CliContext, Outcome } from './context.ts';
import { noLink } from './daemon-commands.ts';
import { openLink } from './daemon-link.ts';
import { onInterruption } from './interruption.ts';
import { EventCsv } from './render/event-csv.ts';
import { EventJsonl } from './render/event-jsonl.ts';
import {
  type EventRenderer,
  gapText,
  type StreamChannel,
  type StreamGap,
} from './render/event-renderer.ts';
import { EventText } from './render/event-text.ts';

type StreamWord = { readonly channels: readonly StreamChannel[] } | StreamGap;

interface StreamEnd {
  readonly reason: 'count' | 'duration' | 'channel_closed' | 'shut_down';
}

/** Ends that the caller did not ask for, in words. */
const unexpectedEnds: Readonly<Partial<Record<StreamEnd['reason'], string>>> = {
  channel_closed: 'end: the channel was closed\n',
  shut_down: 'end: the daemon shut down\n',
};

const rendererFor = (format: OutputFormat): EventRenderer => {
  if (format === 'text') return new EventText();
  return format === 'csv' ? new EventCsv() : new EventJsonl();
};

/** Writes what a stream brings, a batch at a time. A slow reader holds up the link, not memory. */
class EventPrinter implements StreamListener {
  readonly #context: CliContext;
  readonly #renderer: EventRenderer;
  readonly #whenAbandoned: () => void;
  #hasHead = false;

  constructor(context: CliContext, whenAbandoned: () => void) {
    this.#context = context;
    this.#renderer = rendererFor(context.format);
    this.#whenAbandoned = whenAbandoned;
  }

  message(message: object): void {
    const word = message as StreamWord;
    if ('channels' in word) this.#learn(word.channels);
    else this.#report(word);
  }

  batch(bytes: Uint8Array): void {
    this.#write(this.#renderer.render(bytes));
  }

  end({ reason }: StreamEnd): void {
    const words = unexpectedEnds[reason];
    const isForPeople = this.#context.format === 'text' || this.#context.format === 'csv';
    if (words && isForPeople) this.#context.stderr.write(words);
  }

  #learn(channels: readonly StreamChannel[]): void {
    this.#renderer.learn(channels);
    if (!this.#hasHead) this.#write(this.#renderer.head);
    this.#hasHead = true;
  }

  #report(gap: StreamGap): void {
    const text = this.#renderer.gap(gap);
    if (text === null) this.#context.stderr.write(gapText(gap));
    else this.#write(text);
  }

  #write(text: string | Uint8Array): void {
    const { stdout } = this.#context;
    if (text.length > 0) stdout.write(text);
    if (stdout.isAbandoned) this.#whenAbandoned();
  }
}

/** Prints the events of a stream until it ends, is interrupted or nobody reads them any more. */
export const receive = async (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<Outcome> => {
  const link = await openLink(context.home, context.clock);
  if (!link) throw noLink(context);
  let isEnough = false;
  // All that came so far is written by then: that is how a batch is taken.
  const stop = (): void => {
    isEnough = true;
    link.close();
  };
  const forget = onInterruption(stop);
  const printer = new EventPrinter(context, stop);
  try {
    printer.end((await link.stream(command.id, values, context.project, printer)) as StreamEnd);
  } catch (thrown) {
    if (!isEnough) throw thrown;
  } finally {
    forget();
    link.close();
  }
  return { exitCode: 0 };
};
