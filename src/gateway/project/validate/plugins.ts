import type { RowOf } from '../project.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';

type PluginRow = RowOf<'plugins'>;

const folder = 'plugins';
const processorFields = ['inputs', 'outputs', 'send_tasks', 'trigger', 'period_ms'] as const;

/** Checks the path as written. Links are checked when the project is opened. */
const isBelowFolder = (path: string): boolean => {
  const [first, ...others] = path.split('/');
  if (first !== folder || others.length === 0 || /[\\\0]/.test(path)) return false;
  return others.every((part) => part !== '' && part !== '.' && part !== '..');
};

const checkTrigger = (
  { trigger = 'on_input', inputs, period_ms }: PluginRow,
  index: number,
  report: Report,
): void => {
  if (trigger === 'on_input') {
    if (inputs === undefined) {
      const error = 'is required for the trigger on_input; without inputs it never runs';
      report(index, 'inputs', 'missing_field', error);
    }
    if (period_ms !== undefined) {
      report(index, 'period_ms', 'not_applicable', 'is only for the trigger period');
    }
  } else if (period_ms === undefined) {
    report(index, 'period_ms', 'missing_field', 'is required for the trigger period');
  }
};

const checkTasks = (
  links: ProjectLinks,
  { send_tasks = [] }: PluginRow,
  index: number,
  report: Report,
): void => {
  const seen = new Set<string>();
  send_tasks.forEach((id, place) => {
    const field = `send_tasks[${place}]`;
    if (seen.has(id)) {
      report(index, field, 'duplicate_value', `is given twice: ${quoted(id)}; keep one`);
    }
    seen.add(id);
    if ((links.draft.tables.tx_tasks.get(id)?.mode ?? 'request') === 'request') return;
    const error = `must be a task in mode request; ${quoted(id)} sends signals`;
    report(index, field, 'wrong_kind', error);
  });
};

export const checkPlugins = (links: ProjectLinks): void => {
  const report = links.reporter('plugins');
  links.draft.tables.plugins.rows.forEach((plugin, index) => {
    if (!isBelowFolder(plugin.library)) {
      const error = `must be a relative path below ${folder}/, without . and .. parts, such as ${folder}/filter.so`;
      report(index, 'library', 'unsafe_path', error);
    }
    if (plugin.kind === 'processor') {
      checkTrigger(plugin, index, report);
      checkTasks(links, plugin, index, report);
      return;
    }
    for (const field of processorFields) {
      if (plugin[field] === undefined) continue;
      report(index, field, 'not_applicable', 'must be omitted: only processors have it');
    }
  });
};
