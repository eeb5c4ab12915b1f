import { effect, signal } from '@preact/signals';
import type { DatabaseSignal } from '../api/client.ts';
import { choiceKey, type SignalChoice } from '../samples/signal-choices.ts';
import { choices, seriesOf } from '../samples/signals-state.ts';
import { catalogs } from '../state/bench.ts';
import { type Pane, panesOf } from './panes.ts';
import { anyBeat, axisMode, paneMode } from './view-state.ts';

const describedBy = ({
  database,
  message,
  signal: name,
}: SignalChoice): DatabaseSignal | undefined =>
  catalogs.data.value
    ?.get(database)
    ?.message_page.find((one) => one.name === message)
    ?.signals.find((one) => one.name === name);

/** Updated only on a real change: setting up a pane is expensive. */
export const panes = signal<readonly Pane[]>([]);

effect(() => {
  // Before the first sample, unit and labels are read from the database.
  void anyBeat.value;
  const members = choices.value
    .filter(({ isPlotted }) => isPlotted)
    .map((choice) => {
      const { latest, isLabelled } = seriesOf(choice);
      const described = latest ? null : describedBy(choice);
      return {
        key: choiceKey(choice),
        name: choice.signal,
        look: choice.look,
        unit: latest?.unit ?? described?.unit ?? '',
        isLabelled: latest ? isLabelled : (described?.values.length ?? 0) > 0,
      };
    });
  const next = panesOf(members, paneMode.value, axisMode.value);
  if (JSON.stringify(next) !== JSON.stringify(panes.peek())) panes.value = next;
});
