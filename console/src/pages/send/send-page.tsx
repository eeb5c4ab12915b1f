import './send.css';
import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { bench, catalogs, channels, databases, openApi } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/route.ts';
import { useResource } from '../../ui/use-resource.ts';
import { RoutesPanel } from './routes-panel.tsx';
import { submit } from './send-actions.ts';
import { SendPanel } from './send-panel.tsx';
import { isAdvanced, mode, source } from './send-state.ts';
import { SentPanel } from './sent-panel.tsx';
import { TasksPanel } from './tasks-panel.tsx';

const choose = (change: () => void) => () => {
  change();
  goTo('send');
};

const commands = (): readonly Command[] =>
  (
    [
      ['send-now', 'Send the frame or add the task', () => void submit()],
      [
        'send-raw',
        'Type a raw frame',
        () => {
          source.value = 'raw';
        },
      ],
      [
        'send-compose',
        'Compose a frame from a database',
        () => {
          source.value = 'database';
        },
      ],
      [
        'send-task',
        'Make the frame a TX task',
        () => {
          mode.value = 'task';
        },
      ],
      [
        'send-advanced',
        'Advanced: any channel selector',
        () => {
          isAdvanced.value = !isAdvanced.peek();
        },
      ],
    ] as const
  ).map(([id, title, run]) => ({ id, group: 'Send', title, run: choose(run) }));

/** Databases that another client loaded or unloaded: their messages are to be read anew. */
const useFreshCatalogs = (): void => {
  useSignalEffect(() => {
    const loaded = databases.data.value?.databases;
    const known = catalogs.data.value;
    if (!loaded || !known) return;
    const isSame =
      loaded.length === known.size &&
      loaded.every(({ name, loaded_at_us }) => known.get(name)?.loaded_at_us === loaded_at_us);
    if (!isSame) void catalogs.refresh();
  });
};

/** Everything that puts frames on the bus by hand. */
export const SendPage = () => {
  useResource(channels, 'send');
  useResource(databases, 'send');
  useResource(bench);
  useResource(openApi);
  useResource(catalogs);
  useFreshCatalogs();
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="send-page">
      <div class="send-column">
        <SendPanel />
        <SentPanel />
      </div>
      <div class="send-column">
        <TasksPanel />
        <RoutesPanel />
      </div>
    </div>
  );
};
