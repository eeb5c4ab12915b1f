import './recorders.css';
import { useEffect } from 'preact/hooks';
import type { RecorderSummary } from '../../api/client.ts';
import { formatBytes } from '../../format/figures.ts';
import { bench, channels, openApi } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/pages.ts';
import { ListPanel } from '../../ui/list-panel.tsx';
import { setting } from '../../ui/set-signal.ts';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { RecorderPanel } from './recorder-panel.tsx';
import { chosen, control, isActive, pickRecorder, recorders, task } from './recorders-state.ts';

const lossColumn = (id: 'gaps' | 'missed', title: string): Column<RecorderSummary> =>
  numbers(id, title, 64, ({ [id]: count }) => count, { spare: id === 'gaps' ? 1 : 0 });

const columns: readonly Column<RecorderSummary>[] = [
  column('name', 'Name', 112, ({ name }) => name, { least: 72, grows: true }),
  states('state', 'State', 92, ({ state }) => state),
  column('file', 'Files', 160, ({ file }) => file, { least: 96, grows: true, spare: 2 }),
  numbers('frames', 'Events', 80, ({ frames }) => frames),
  numbers('bytes', 'Size', 76, ({ bytes }) => formatBytes(bytes)),
  lossColumn('gaps', 'Gaps'),
  lossColumn('missed', 'Missed'),
];

const listed = (): readonly RecorderSummary[] => recorders.data.value?.recorders ?? [];

const RecordersPanel = () => (
  <ListPanel<RecorderSummary>
    name="recorders"
    title="Recorders"
    source={recorders}
    columns={columns}
    rows={listed()}
    keyOf={({ name }) => name}
    selected={({ name }) => name === chosen.value?.name}
    onSelect={({ name }) => pickRecorder(name)}
    rowAttributes={({ name, state }) => ({ 'data-recorder': name, 'data-state': state })}
    actions={
      <button
        type="button"
        aria-pressed={task.value === 'add'}
        data-testid="recorder-add"
        onClick={setting(task, 'add')}
      >
        Add recorder…
      </button>
    }
    empty="No recorders. Each one writes channels to a series of trace files, from a trigger if needed."
  />
);

const on = (run: () => void) => () => {
  goTo('recorders');
  run();
};

const commands = (): readonly Command[] => {
  const group = 'Recorders';
  return [
    {
      ...{ id: 'recorder-add', group, title: 'Add recorder…' },
      run: on(setting(task, 'add')),
    },
    ...listed().map((recorder) => {
      const { name } = recorder;
      const verb = isActive(recorder) ? 'stop' : 'start';
      return {
        ...{ id: `recorder-${name}`, group },
        title: `${verb === 'stop' ? 'Stop' : 'Start'} recorder ${name}`,
        run: on(() => {
          pickRecorder(name);
          void control.run(name, verb);
        }),
      };
    }),
  ];
};

export const RecordersPage = () => {
  useResource(bench);
  useResource(openApi);
  useResource(channels, 'recorders');
  useResource(recorders, 'recorders');
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="recorders-page">
      <RecordersPanel />
      <RecorderPanel />
    </div>
  );
};
