import type { OutputFormat } from '../operations/global-options.ts';
import type { CliContext, DaemonCommand } from './context.ts';
import { endText, followStream, type StreamEnd, type StreamPrinter } from './follow-stream.ts';
import { EventCsv } from './render/event-csv.ts';
import { EventJsonl } from './render/event-jsonl.ts';
import {
  type DecodedBatch,
  type EventRenderer,
  gapText,
  type StreamChannel,
  type StreamGap,
} from './render/event-renderer.ts';
import { EventText } from './render/event-text.ts';
import { checkTextOptions, type TextOptions } from './render/event-time.ts';

type StreamWord =
  | { readonly channels: readonly StreamChannel[] }
  | { readonly decoded: DecodedBatch }
  | StreamGap;

const rendererFor = (
  format: OutputFormat,
  { time, notation }: TextOptions,
  isDecoded: boolean,
): EventRenderer => {
  if (format === 'text') return new EventText(time, notation);
  return format === 'csv' ? new EventCsv(isDecoded) : new EventJsonl();
};

interface EventPrinterOptions {
  readonly context: CliContext;
  readonly options: TextOptions;
  readonly after: unknown;
  readonly isDecoded: boolean;
  readonly whenAbandoned: () => void;
}

class EventPrinter implements StreamPrinter {
  readonly #context: CliContext;
  readonly #renderer: EventRenderer;
  readonly #after: unknown;
  readonly #whenAbandoned: () => void;
  #hasHead = false;
  /** Names and values of the next batch. */
  #decoded: DecodedBatch = [];

  constructor({ context, options, after, isDecoded, whenAbandoned }: EventPrinterOptions) {
    this.#context = context;
    this.#renderer = rendererFor(context.format, options, isDecoded);
    this.#after = after;
    this.#whenAbandoned = whenAbandoned;
  }

  message(message: object): void {
    const word = message as StreamWord;
    if ('channels' in word) this.#learn(word.channels);
    else if ('decoded' in word) this.#decoded = word.decoded;
    else this.#report(word);
  }

  batch(bytes: Uint8Array): void {
    this.#write(this.#renderer.render(bytes, this.#decoded));
    this.#decoded = [];
  }

  end(end: StreamEnd): void {
    this.#context.stderr.write(endText(end, this.#context.format));
  }

  #learn(channels: readonly StreamChannel[]): void {
    this.#renderer.learn(channels);
    if (!this.#hasHead) this.#write(this.#renderer.head);
    this.#hasHead = true;
  }

  #report(gap: StreamGap): void {
    const text = this.#renderer.gap(gap);
    if (text === null) this.#context.stderr.write(gapText(gap, this.#after));
    else this.#write(text);
  }

  #write(text: string | Uint8Array): void {
    const { stdout } = this.#context;
    if (text.length > 0) stdout.write(text);
    if (stdout.isAbandoned) this.#whenAbandoned();
  }
}

export const receive: DaemonCommand = async (command, { time, notation, ...values }, context) => {
  const options = { time, notation } as TextOptions;
  const { after } = values;
  const isDecoded = values.decode === true;
  checkTextOptions(options, { format: context.format, isDecoded });
  return followStream(
    command,
    values,
    context,
    (whenAbandoned) => new EventPrinter({ context, options, after, isDecoded, whenAbandoned }),
  );
};
