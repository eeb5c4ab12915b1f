import type { Connection } from '../link/connection.ts';
import { exceptionText } from '../modbus/pdu/exception-codes.ts';
import type { ScanProgress } from '../modbus/service/modbus-scans.ts';
import type { ModbusScan, ScannedUnit } from '../modbus/service/scan-record.ts';
import type { CliContext, DaemonCommand } from './context.ts';
import { callDaemon } from './daemon-commands.ts';
import { onInterruption } from './interruption.ts';
import { terminalBar } from './terminal-bar.ts';
import { wireLines } from './wire-lines.ts';

const cancelGraceMs = 2000;

const textLine = ({ unit, state, exception, round_trip_us, error }: ScannedUnit): string => {
  const took = round_trip_us === null ? '' : `  ${(round_trip_us / 1000).toFixed(1)} ms`;
  const what = exception ? exceptionText(exception.code) : (error?.message ?? state);
  return `${String(unit).padStart(3)}  ${what}${took}\n`;
};

const summary = ({ units, silent }: ModbusScan): string => {
  const total = units.length + silent.length;
  const failed = units.filter(({ state }) => state === 'failed').length;
  const parts = [
    `${units.length - failed} of ${total} units answered`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${silent.length} timed out`,
  ];
  return `${parts.join(', ')}\n`;
};

const silentUnit = (unit: number): ScannedUnit => ({
  unit,
  state: 'silent',
  exception: null,
  round_trip_us: null,
  error: null,
});

class UnitPrinter {
  readonly #context: CliContext;
  #printed = 0;

  constructor(context: CliContext) {
    this.#context = context;
  }

  found(units: readonly ScannedUnit[]): void {
    for (const unit of units.slice(this.#printed)) this.#print(unit);
    this.#printed = Math.max(this.#printed, units.length);
  }

  end(result: ModbusScan): void {
    this.found(result.units);
    if (this.#context.format === 'text') this.#context.stderr.write(summary(result));
    else for (const unit of result.silent) this.#print(silentUnit(unit));
  }

  #print(unit: ScannedUnit): void {
    const { format, stdout, stderr } = this.#context;
    if (format !== 'text') stdout.write(`${JSON.stringify(unit)}\n`);
    else {
      stderr.write(wireLines(unit.trace ?? []));
      stdout.write(textLine(unit));
    }
  }
}

/** Scans and prints units as they are found. An interruption cancels the scan. */
export const scan: DaemonCommand = async (command, values, context) => {
  const bar = terminalBar(context);
  const isLines = context.format === 'text' || context.format === 'jsonl';
  // Raw bytes arrive only at the end, together with their units.
  const printer = isLines ? new UnitPrinter(context) : undefined;
  let link: Connection | undefined;
  const forget = onInterruption(() => {
    link?.cancelCalls();
    // If the daemon does not answer, closing the link also cancels the scan.
    context.clock.after(cancelGraceMs, () => link?.close());
  });
  try {
    const outcome = await callDaemon(command, values, context, {
      linked: (opened) => {
        link = opened;
      },
      progress: (progress) => {
        const { scanned, total, units } = progress as ScanProgress;
        bar?.clear();
        if (values.trace !== true) printer?.found(units);
        bar?.show(scanned, total);
      },
    });
    bar?.clear();
    if (!printer || !('result' in outcome)) return outcome;
    printer.end(outcome.result as ModbusScan);
    return { exitCode: 0 };
  } finally {
    forget();
    bar?.clear();
  }
};
