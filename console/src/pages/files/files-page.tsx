import './files.css';
import { useEffect } from 'preact/hooks';
import { bench, channels, openApi } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/route.ts';
import { useResource } from '../../ui/use-resource.ts';
import { DatabasesPanel } from './databases-panel.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { LoggingPanel } from './logging-panel.tsx';
import { RemotePanel } from './remote-panel.tsx';
import { ReplayPanel } from './replay-panel.tsx';

const places = [
  ['database-file', 'Load a database'],
  ['logging-file', 'Log to a file'],
  ['replay-file', 'Replay a trace'],
  ['remote-peers', 'Forward to another bench'],
  ['firmware-device', 'Check the firmware of a device'],
] as const;

const find = (testId: string): HTMLElement | null =>
  document.querySelector(`[data-testid="${testId}"]`);

const commands = (): readonly Command[] => [
  ...places.map(([testId, title]) => ({
    id: `files-${testId}`,
    group: 'Files',
    title,
    run: () => {
      goTo('files');
      // Behind the change of the page: what is hidden cannot be focused.
      requestAnimationFrame(() => find(testId)?.focus());
    },
  })),
  ...['logging', 'replay', 'remote'].map((work) => ({
    id: `files-stop-${work}`,
    group: 'Files',
    title: `Stop ${work === 'remote' ? 'forwarding' : work}`,
    run: () => find(`${work}-stop`)?.click(),
  })),
];

/** Files that are read and written, and work that goes on by itself. */
export const FilesPage = () => {
  useResource(channels, 'files');
  useResource(bench);
  useResource(openApi);
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="files-page">
      <div class="files-column">
        <DatabasesPanel />
        <JobsPanel />
      </div>
      <div class="work">
        <div class="files-column">
          <LoggingPanel />
          <ReplayPanel />
        </div>
        <div class="files-column">
          <RemotePanel />
        </div>
      </div>
    </div>
  );
};
