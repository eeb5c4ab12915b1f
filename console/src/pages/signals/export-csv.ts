import { csvCell } from '../../../../src/base/csv/csv-cell.ts';
import type { TimeRange } from '../../plot/time-range.ts';
import type { SampleSeries } from '../../samples/sample-series.ts';
import type { SignalChoice } from '../../samples/signal-choices.ts';
import { choices, seriesOf } from '../../samples/signals-state.ts';
import { saveFile, stampedName } from '../../ui/save-file.ts';

interface CsvColumnSource {
  readonly choice: Pick<SignalChoice, 'channel' | 'database' | 'message' | 'signal'>;
  readonly series: SampleSeries;
}

const head = 'timestamp_us,time,channel,database,message,signal,value,unit,label,valid';

const isoTime = (us: number): string => {
  const seconds = new Date(Math.floor(us / 1_000_000) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(Math.floor(us % 1_000_000)).padStart(6, '0')}Z`;
};

export const csvLines = (
  sources: readonly CsvColumnSource[],
  { fromUs, toUs }: TimeRange,
): string[] => {
  const lines: { us: number; text: string }[] = [];
  for (const { choice, series } of sources) {
    const place = [choice.channel, choice.database, choice.message, choice.signal]
      .map(csvCell)
      .join(',');
    const unit = csvCell(series.latest?.unit);
    const end = series.countUntil(toUs);
    for (let index = series.countUntil(fromUs - 1); index < end; index++) {
      const us = series.timeAt(index);
      const value = csvCell(series.textAt(index));
      const label = csvCell(series.labelAt(index));
      const text = `${us},${isoTime(us)},${place},${value},${unit},${label},${series.isValidAt(index)}`;
      lines.push({ us, text });
    }
  }
  lines.sort((a, b) => a.us - b.us);
  return [head, ...lines.map(({ text }) => text)];
};

export const exportCsv = (range: TimeRange): void => {
  const sources = choices
    .peek()
    .filter(({ isPlotted }) => isPlotted)
    .map((choice) => ({ choice, series: seriesOf(choice) }));
  const lines = csvLines(sources, range);
  const file = new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' });
  saveFile(file, stampedName('signals', 'csv'));
};
