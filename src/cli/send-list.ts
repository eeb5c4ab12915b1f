import { pause } from '../base/clock/pause.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Connection } from '../link/connection.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import type { SendRecord } from '../transmit/send-record.ts';
import { durationUs } from '../transmit/send-request.ts';
import type { CliContext } from './context.ts';
import { noLink } from './daemon-commands.ts';
import { openLink } from './daemon-link.ts';
import type { FrameLine } from './frame-lines.ts';
import { type FrameSource, openFrameSource } from './frame-source.ts';
import { onInterruption } from './interruption.ts';
import { terminalBar } from './terminal-bar.ts';

type Values = Readonly<Record<string, unknown>>;

/** How long the daemon may take to say how far an interrupted list came. */
const cancelTimeoutMs = 2000;

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Sends the lists of a source one after the other over one link. */
class ListSender {
  readonly #context: CliContext;
  readonly #link: Connection;
  readonly #source: FrameSource;
  readonly #command: CliCommand;
  readonly #values: Values;
  readonly #cycleUs: number;
  #accepted = 0;
  #isInterrupted = false;
  #nextUs = 0;

  constructor(
    command: CliCommand,
    { file: _, ...values }: Values,
    context: CliContext,
    link: Connection,
    source: FrameSource,
  ) {
    this.#command = command;
    this.#values = values;
    this.#context = context;
    this.#link = link;
    this.#source = source;
    const { cycle, cycle_us } = values;
    this.#cycleUs = typeof cycle === 'string' ? durationUs('cycle', cycle) : numberIn(cycle_us);
  }

  async run(): Promise<SendRecord> {
    let last: SendRecord | undefined;
    for await (const list of this.#lists()) {
      await this.#untilDue();
      last = await this.#sendAll(list);
    }
    if (this.#isInterrupted || !last) throw this.#interrupted();
    return { ...last, accepted: this.#accepted };
  }

  /** Has the daemon give up what it sends; a source that is waited for is not waited for longer. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#link.cancelCalls();
    this.#source.close();
    this.#context.clock.after(cancelTimeoutMs, () => this.#link.close());
  }

  /** The lists of the source, whose refusals tell how many frames were sent before. */
  async *#lists(): AsyncGenerator<readonly FrameLine[]> {
    try {
      yield* this.#source.lists();
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      throw error.with({ details: { ...error.details, accepted: this.#accepted } });
    }
  }

  /**
   * Sends a list. The daemon refuses it whole where a frame cannot be; how much of a stream is in a list is
   * left to chance, so that the frames before that one are sent then.
   */
  async #sendAll(list: readonly FrameLine[]): Promise<SendRecord> {
    try {
      return await this.#send(list);
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const { index } = error.details;
      if (!this.#source.isWhole && typeof index === 'number' && index > 0 && !this.#isInterrupted) {
        await this.#sendAll(list.slice(0, index));
      }
      throw this.#placed(error, list);
    }
  }

  async #send(list: readonly FrameLine[]): Promise<SendRecord> {
    const { clock, project } = this.#context;
    const frames = list.map(({ frame }) => frame).join('\n');
    const bar = terminalBar(this.#context);
    this.#nextUs = clock.monotonicUs() + list.length * this.#cycleUs;
    try {
      const progress = (told: unknown): void => {
        const { accepted, count } = told as { accepted: number; count: number };
        bar?.show(accepted, count);
      };
      const values = { ...this.#values, frames };
      const { id } = this.#command;
      const sent = (await this.#link.call(id, values, project, progress)) as SendRecord;
      this.#accepted += sent.accepted;
      return sent;
    } finally {
      bar?.clear();
    }
  }

  /** A list that comes in pieces keeps its cycle from one piece to the next. */
  async #untilDue(): Promise<void> {
    const waitMs = Math.ceil((this.#nextUs - this.#context.clock.monotonicUs()) / 1000);
    if (this.#cycleUs > 0 && waitMs > 0) await pause(this.#context.clock, waitMs);
  }

  /** The same failure, which names the line and counts all that was sent before. */
  #placed(error: BusbarError, list: readonly FrameLine[]): BusbarError {
    const { name } = this.#source;
    const { index, accepted, failed_index, ...details } = error.details;
    const at = index ?? failed_index;
    const line = typeof at === 'number' ? list[at]?.line : undefined;
    const place = line === undefined ? '' : `Line ${line} of ${name}: `;
    return error.with({
      message: place + error.message,
      details: {
        ...details,
        ...(details.field === 'frames' && { field: 'file' }),
        ...(line !== undefined && { line }),
        accepted: this.#accepted + numberIn(accepted),
        ...(typeof failed_index === 'number' && { failed_index: this.#accepted + failed_index }),
      },
    });
  }

  #interrupted(): BusbarError {
    return new BusbarError('operation_cancelled', {
      details: { cancelled: true, reason: 'caller_gone', accepted: this.#accepted },
    });
  }
}

/** Sends the frames of a file, or of standard input as they come. */
export const sendList = async (
  command: CliCommand,
  values: Values,
  context: CliContext,
): Promise<SendRecord> => {
  const source = openFrameSource(values.file as string);
  let link: Connection | null = null;
  let forget = (): void => undefined;
  try {
    link = await openLink(context.home, context.clock);
    if (!link) throw noLink(context);
    const sender = new ListSender(command, values, context, link, source);
    forget = onInterruption(() => sender.interrupt());
    return await sender.run();
  } finally {
    forget();
    source.close();
    link?.close();
  }
};
