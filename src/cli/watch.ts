import type { CliCommand } from '../operations/render/cli-table.ts';
import type { CliContext, Outcome } from './context.ts';
import { endText, followStream, type StreamEnd, type StreamPrinter } from './follow-stream.ts';
import { csvLine } from './render/csv.ts';
import { gapText, type StreamGap } from './render/event-renderer.ts';

/** A sample as the daemon sends it; `signal watch` documents the rest of its fields. */
interface WatchedSample {
  readonly plan_id: string;
  readonly signal: string;
  readonly value: string | null;
  readonly label: string | null;
  readonly unit: string;
  readonly valid: boolean;
  readonly timestamp_us: number;
}

const microsPerSecond = 1_000_000;

/** `(1699999999.123456)  plan-1  EngineSpeed  820.25 rpm` */
const textLine = (sample: WatchedSample): string => {
  const { plan_id, signal, value, label, unit, valid, timestamp_us } = sample;
  const seconds = Math.floor(timestamp_us / microsPerSecond);
  const micros = String(timestamp_us % microsPerSecond).padStart(6, '0');
  const amount = [value ?? '-', unit, label === null ? '' : `"${label}"`].filter(Boolean).join(' ');
  const mark = valid ? '' : '  (not valid)';
  return `(${seconds}.${micros})  ${plan_id}  ${signal}  ${amount}${mark}\n`;
};

/** Writes samples as they come. */
class SamplePrinter implements StreamPrinter {
  readonly #context: CliContext;
  readonly #whenAbandoned: () => void;
  #hasHead = false;

  constructor(context: CliContext, whenAbandoned: () => void) {
    this.#context = context;
    this.#whenAbandoned = whenAbandoned;
  }

  message(message: object): void {
    if ('event' in message) this.#report(message as StreamGap);
    else this.#write(this.#lineOf(message as WatchedSample));
  }

  batch(): void {}

  end(end: StreamEnd): void {
    this.#context.stderr.write(endText(end, this.#context.format));
  }

  #lineOf(sample: WatchedSample): string {
    const { format } = this.#context;
    if (format === 'text') return textLine(sample);
    if (format !== 'csv') return `${JSON.stringify(sample)}\n`;
    const row = csvLine(Object.values(sample));
    if (this.#hasHead) return row;
    this.#hasHead = true;
    return csvLine(Object.keys(sample)) + row;
  }

  #report(gap: StreamGap): void {
    const { format, stderr } = this.#context;
    if (format === 'text' || format === 'csv') stderr.write(gapText(gap));
    else this.#write(`${JSON.stringify(gap)}\n`);
  }

  #write(text: string): void {
    const { stdout } = this.#context;
    stdout.write(text);
    if (stdout.isAbandoned) this.#whenAbandoned();
  }
}

/** Prints samples of signals until the stream ends, is interrupted or nobody reads them. */
export const watch = (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<Outcome> =>
  followStream(command, values, context, (stop) => new SamplePrinter(context, stop));
