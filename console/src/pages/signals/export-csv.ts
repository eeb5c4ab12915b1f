import { saveFile, stampedName } from '../../ui/save-file.ts';
import { csvLines } from './csv.ts';
import { choices, seriesOf } from './signals-state.ts';
import { shownRange } from './view-state.ts';

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
