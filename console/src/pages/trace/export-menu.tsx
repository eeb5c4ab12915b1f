import { signal } from '@preact/signals';
import { counted } from '../../format/figures.ts';
import { type ExportFormat, exportFormats } from '../../trace-core/export-trace.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { saveFile, stampedName } from '../../ui/save-file.ts';
import { notes } from './row-notes.ts';
import { shownRows } from './trace-client.ts';

const formatNames = Object.keys(exportFormats) as ExportFormat[];
const format = signal<ExportFormat>('asc');
const isExporting = signal(false);
const outcome = signal('');

const exportOne = async (chosen: ExportFormat): Promise<void> => {
  isExporting.value = true;
  const { label, extension } = exportFormats[chosen];
  const marked = notes.peek();
  const saved = await shownRows.peek().save(chosen, marked);
  isExporting.value = false;
  if (saved === null) {
    outcome.value = `▲ Could not load the ${label} writer: the service is unreachable or was updated`;
    return;
  }
  const { file, written, omitted, omittedGaps } = saved;
  saveFile(file, stampedName('trace', extension));
  const lost = [
    ...(omitted > 0 ? [`${counted(omitted, 'LIN row')} not supported by this format`] : []),
    ...(omittedGaps > 0 ? [`${counted(omittedGaps, 'gap')} omitted`] : []),
    ...(marked.length > 0 ? [`${saved.notes} of ${counted(marked.length, 'note')} written`] : []),
  ];
  outcome.value = [`${counted(written, 'row')} saved`, ...lost].join('; ');
};

let former: Promise<void> = Promise.resolve();

export const exportAs = (chosen: ExportFormat): Promise<void> => {
  former = former.then(() => exportOne(chosen));
  return former;
};

export const ExportMenu = () => (
  <span class="actions">
    <select
      aria-label="Export format"
      value={format.value}
      data-testid="trace-export-format"
      onChange={(event) => {
        format.value = event.currentTarget.value as ExportFormat;
      }}
    >
      {formatNames.map((name) => (
        <option key={name} value={name}>
          {exportFormats[name].label}
          {notes.value.length > 0 && !exportFormats[name].hasNotes && ', without notes'}
        </option>
      ))}
    </select>
    <button
      type="button"
      data-testid="trace-export"
      {...unusableWhile(isExporting.value)}
      title="Save the filtered frames"
      onClick={() => void exportAs(format.value)}
    >
      Export
    </button>
    {outcome.value !== '' && (
      <span class="quiet" role="status" data-testid="trace-exported">
        {outcome.value}
      </span>
    )}
  </span>
);
