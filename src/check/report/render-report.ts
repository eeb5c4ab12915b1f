import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { CheckReport } from '../check-record.ts';
import { renderHtmlReport } from './html-report.ts';
import { renderJunitReport } from './junit-report.ts';
import { renderTextReport } from './text-report.ts';

const renderJsonReport = (report: CheckReport): string => `${JSON.stringify(report, null, 2)}\n`;

const renderers = {
  '.html': renderHtmlReport,
  '.xml': renderJunitReport,
  '.json': renderJsonReport,
  '.txt': (report: CheckReport) => renderTextReport(report),
} as const;

type Ending = keyof typeof renderers;
const endings = Object.keys(renderers) as Ending[];

/** The renderer of a file by its ending. Rejects other endings, before anything is checked. */
export const reportRenderer = (file: string, field: string): ((report: CheckReport) => string) => {
  const ending = endings.find((each) => file.toLowerCase().endsWith(each));
  if (ending !== undefined) return renderers[ending];
  throw invalidArgument(field, `A report must end in ${endings.join(', ')}: ${file}`, {
    path: file,
  });
};
