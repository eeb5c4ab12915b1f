import { shownRange } from '../../plot/view-state.ts';
import { choices, seriesOf } from '../../samples/signals-state.ts';
import { saveFile, stampedName } from '../../ui/save-file.ts';
import { csvLines } from './csv.ts';

/** Saves the samples in sight as a file. */
export const exportCsv = (): void => {
  const sources = choices
    .peek()
    .filter(({ isPlotted }) => isPlotted)
    .map((choice) => ({ choice, series: seriesOf(choice) }));
  const lines = csvLines(sources, shownRange());
  const file = new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' });
  saveFile(file, stampedName('signals', 'csv'));
};
