import { signal } from '@preact/signals';
import { rangeOfCursors } from '../../plot/measure.ts';
import { shownPicture } from '../../plot/plot-area.tsx';
import { cursors, shownRange } from '../../plot/view-state.ts';
import { exportCsv } from './export-csv.ts';

export const exportNames = {
  csv: 'CSV',
  'csv-cursors': 'CSV A–B',
  png: 'PNG',
  svg: 'SVG',
} as const;
type ExportFormat = keyof typeof exportNames;

export const exportFormats = Object.keys(exportNames) as ExportFormat[];
const format = signal<ExportFormat>('csv');
const remark = signal('');

const savePlot = async (chosen: 'png' | 'svg'): Promise<void> => {
  try {
    const { savePicture } = await import('../../plot/picture/draw-picture.ts');
    const picture = shownPicture.take?.();
    if (picture) await savePicture(picture, chosen);
    else remark.value = '▲ No signals are plotted';
  } catch {
    remark.value = '▲ Could not load the writer: the service is unreachable or was updated';
  }
};

export const exportAs = async (chosen: ExportFormat): Promise<void> => {
  remark.value = '';
  const placed = cursors.peek();
  if (chosen === 'png' || chosen === 'svg') await savePlot(chosen);
  else if (chosen === 'csv') exportCsv(shownRange());
  else if (placed) exportCsv(rangeOfCursors(placed));
  else remark.value = '▲ Add the cursors first';
};

export const ExportMenu = () => (
  <span class="actions">
    <select
      aria-label="Export format"
      value={format.value}
      data-testid="signals-export-format"
      onChange={(event) => {
        format.value = event.currentTarget.value as ExportFormat;
      }}
    >
      {exportFormats.map((name) => (
        <option key={name} value={name}>
          {exportNames[name]}
        </option>
      ))}
    </select>
    <button
      type="button"
      data-testid="signals-export"
      title="Save the plotted samples of the view or between the cursors, with exact values, or a picture of the plot"
      onClick={() => void exportAs(format.value)}
    >
      Export
    </button>
    {remark.value !== '' && (
      <span class="quiet" role="status" data-testid="signals-export-remark">
        {remark.value}
      </span>
    )}
  </span>
);
