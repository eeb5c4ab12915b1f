import { computed, effect, signal } from '@preact/signals';
import type { DatabaseMessage, DatabaseSignal, SignalSample } from '../api/client.ts';
import type { SampleColumns } from '../samples/sample-series.ts';
import {
  choiceKey,
  fileSelector,
  fileSlotOf,
  freeLook,
  type SignalChoice,
} from '../samples/signal-choices.ts';
import { choices, dismiss, looks, seriesOf } from '../samples/signals-state.ts';
import { serviceNowUs } from '../state/service-clock.ts';
import { fileChannels, fileStatus, openedFile, readSignal } from '../trace-files/open-file.ts';
import { showAll } from './view-state.ts';

/** Channels of the open file, as the catalog offers them. */
export const fileBuses = computed(() => {
  const { name } = fileStatus.value ?? {};
  return fileChannels.value.map(({ slot, labels: [label = ''] }) => ({
    ...{ slot, selector: fileSelector(slot), channel: `${name} ${label}` },
  }));
});

const isOfFile = (choice: SignalChoice): boolean => fileSlotOf(choice) !== null;

export const hasFileSignals = computed(() => choices.value.some(isOfFile));

/** The file begins with the oldest live sample, or when this was chosen. */
export const isAligned = signal(false);

const shiftUs = (): number => {
  const { firstUs = 0 } = fileStatus.peek() ?? {};
  if (!isAligned.peek()) return 0;
  const starts = choices
    .peek()
    .filter((choice) => !isOfFile(choice))
    .map((choice) => seriesOf(choice).timeAt(0))
    .filter(Number.isFinite);
  return Math.min(serviceNowUs(), ...starts) - firstUs;
};

export const align = (isWanted: boolean): void => {
  isAligned.value = isWanted;
  const shift = shiftUs();
  for (const choice of choices.peek().filter(isOfFile)) seriesOf(choice).shiftUs = shift;
};

/** A signal of a database. */
interface FileSignal {
  readonly database: string;
  readonly message: DatabaseMessage;
  readonly signal: DatabaseSignal;
}

/** The last value of a file in the form of a live one. */
const latestOf = (columns: SampleColumns, row: FileSignal): SignalSample | null => {
  const { times, values, labels, labelTexts } = columns;
  const last = times.length - 1;
  if (last < 0) return null;
  return {
    ...{ plan_id: '', sequence: last + 1, event_id: 0, mux: null, source_address: null },
    ...{ signal: row.signal.name, unit: row.signal.unit, valid: true },
    timestamp_us: times[last] as number,
    value: Number.isNaN(values[last]) ? null : String(values[last]),
    raw: String(values[last]),
    label: labelTexts[labels[last] as number] ?? null,
  };
};

/** Adds a signal of the file to the plot. */
export const chooseOfFile = async (row: FileSignal, slot: number): Promise<void> => {
  const file = openedFile.peek();
  const bus = fileBuses.peek().find((each) => each.slot === slot);
  if (!bus) return;
  const choice: SignalChoice = {
    ...{ channel: bus.channel, selector: bus.selector, history: 0 },
    ...{ database: row.database, message: row.message.name, signal: row.signal.name },
    ...{ isPlotted: true, look: freeLook(choices.peek(), looks) },
  };
  const isChosen = choices.peek().some((each) => choiceKey(each) === choiceKey(choice));
  if (isChosen) return;
  choices.value = [...choices.peek(), choice];
  const columns = await readSignal(slot, row.message, row.signal);
  const isThere = choices.peek().some((each) => choiceKey(each) === choiceKey(choice));
  if (!isThere || openedFile.peek() !== file) return;
  const series = seriesOf(choice);
  series.load(columns, latestOf(columns, row));
  series.shiftUs = shiftUs();
  showAll();
};

let shown = openedFile.peek();

/** Signals leave the plot with their file. */
effect(() => {
  const isSame = fileStatus.value !== null && openedFile.value === shown;
  shown = openedFile.value;
  if (isSame) return;
  for (const choice of choices.peek().filter(isOfFile)) dismiss(choiceKey(choice));
});
