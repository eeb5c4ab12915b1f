import type { Timer } from '../base/clock/clock.ts';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import type { WatchedSignal } from '../signal/service/watched-signal.ts';
import type { CliContext, Outcome } from './context.ts';
import { endText, followStream, type StreamEnd, type StreamPrinter } from './follow-stream.ts';
import { gapText, type StreamGap } from './render/event-renderer.ts';
import { amountText } from './signal-line.ts';

const redrawMs = 100;
const defaultColumns = 80;
const defaultRows = 24;

/** To the upper left corner; the rest of the screen is erased after the rows. */
const home = '\u001b[H';
const eraseLine = '\u001b[K\n';
const eraseBelow = '\u001b[J';
const clear = '\u001b[2J';

export const tableText = (
  rows: readonly WatchedSignal[],
  columns: number,
  lines: number,
): string => {
  const cells = rows.map((row) => [row.message, row.signal, amountText(row)] as const);
  const widths = [0, 1].map((at) => Math.max(0, ...cells.map((cell) => cell[at]?.length ?? 0)));
  const shown = cells.slice(0, lines - 1);
  const text = shown.map(([message, signal, amount]) =>
    `${message.padEnd(widths[0] ?? 0)}  ${signal.padEnd(widths[1] ?? 0)}  ${amount}`.slice(
      0,
      columns,
    ),
  );
  const omitted = cells.length - shown.length;
  if (omitted > 0) text[text.length - 1] = `… ${omitted + 1} more signals`;
  return text.join(eraseLine) + eraseLine;
};

class TablePrinter implements StreamPrinter {
  readonly #context: CliContext;
  readonly #rows = new Map<string, WatchedSignal>();
  #timer: Timer | undefined;
  #isDrawn = false;

  constructor(context: CliContext) {
    this.#context = context;
  }

  message(message: object): void {
    if ('event' in message) {
      this.#context.stderr.write(gapText(message as StreamGap, undefined));
      return;
    }
    const row = message as WatchedSignal;
    this.#rows.set(`${row.channel} ${row.id} ${row.message} ${row.signal}`, row);
    this.#timer ??= this.#context.clock.after(redrawMs, () => this.#draw());
  }

  batch(): void {}

  end(end: StreamEnd): void {
    this.#draw();
    this.#context.stderr.write(endText(end, this.#context.format));
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #draw(): void {
    this.stop();
    const { stdout, env } = this.#context;
    const columns = stdout.columns ?? (Number(env.COLUMNS) || defaultColumns);
    const lines = stdout.rows ?? (Number(env.LINES) || defaultRows);
    if (!this.#isDrawn) stdout.write(clear);
    this.#isDrawn = true;
    stdout.write(home + tableText([...this.#rows.values()], columns, lines) + eraseBelow);
  }
}

export const watchTable = async (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<Outcome> => {
  const { format, stdout } = context;
  if (values.channel === undefined) {
    throw invalidArgument('table', '--table needs --channel', { reason: 'needs_channel' });
  }
  if (format !== 'text' || !stdout.isTerminal) {
    throw invalidArgument('table', '--table needs a terminal and text output', {
      reason: 'no_terminal',
    });
  }
  const printer = new TablePrinter(context);
  try {
    return await followStream(command, values, context, () => printer);
  } finally {
    printer.stop();
  }
};
