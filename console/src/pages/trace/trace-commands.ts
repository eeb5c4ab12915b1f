import type { Command } from '../../state/commands.ts';
import { goTo } from '../../state/route.ts';
import { type ExportFormat, exportFormats } from '../../trace-core/export-trace.ts';
import { exportAs } from './export-menu.tsx';
import { clearFilter } from './filter-bar.tsx';
import { startSse, stopSse } from './sse-client.ts';
import { startTrace, stopTrace } from './trace-client.ts';
import { chooseView, clear, isPaused, loadOlder, pause, resume } from './trace-state.ts';

const command = (id: string, title: string, run: () => void): Command => ({
  id: `trace-${id}`,
  group: 'Trace',
  title,
  run: () => {
    goTo('trace');
    run();
  },
});

/** What the palette can do with the trace. */
export const traceCommands = (): readonly Command[] => [
  {
    ...command('pause', isPaused.value ? 'Resume view' : 'Pause view', () =>
      isPaused.peek() ? resume() : pause(),
    ),
    keys: 'Space',
  },
  command('clear', 'Clear', clear),
  command('in-order', 'Show frames in order', () => chooseView('frames')),
  command('by-id', 'Show frames by id', () => chooseView('by-id')),
  command('older', 'Load older frames', () => {
    chooseView('frames');
    pause();
    loadOlder();
  }),
  command('no-filter', 'Clear filter', clearFilter),
  ...(Object.keys(exportFormats) as ExportFormat[]).map((format) =>
    command(
      `export-${format}`,
      `Export as ${exportFormats[format].label}`,
      () => void exportAs(format),
    ),
  ),
  command('start', 'Start WebSocket stream', startTrace),
  command('stop', 'Stop WebSocket stream', stopTrace),
  command('sse-start', 'Start SSE monitor', startSse),
  command('sse-stop', 'Stop SSE monitor', stopSse),
];
