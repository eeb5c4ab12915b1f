import { computed, effect, type Signal, signal } from '@preact/signals';
import {
  type Channel,
  call,
  type DatabaseMessage,
  type OperationId,
  type SendResult,
} from '../../api/client.ts';
import { encodeMessage, type SignalInputs, signalTexts } from '../../codec/encode-message.ts';
import { sources } from '../../forms/bench-sources.ts';
import { channelOf } from '../../forms/channel-selectors.ts';
import { fieldSchema } from '../../forms/contract.ts';
import { schemaForm } from '../../forms/schema-form.ts';
import { catalogs, channels, openApi } from '../../state/bench.ts';
import { resource } from '../../state/resource.ts';
import type { Choice } from '../../ui/fields.tsx';
import {
  emptyFrame,
  type FrameDraft,
  frameFields,
  isSlave,
  kindsOn,
  typesOn,
} from './frame-draft.ts';

export const txTasks = resource(() => call('tx-task.list'), 'tx-task.list');
export const routes = resource(() => call('route.list'), 'route.list');

export const source = signal<'raw' | 'database'>('raw');
export const mode = signal<'send' | 'task'>('send');
export const isAdvanced = signal(false);
export const selector = signal('');
export const frame = signal<FrameDraft>(emptyFrame);

export const databaseName = signal('');
export const messageName = signal('');
export const inputs = signal<SignalInputs>({});

export const wordsOf = (value: string): string =>
  value.replaceAll('_', ' ').replace('lin ', 'LIN ').replace(/ id$/, ' ID');

const choiceOf = (value: string): Choice => ({ value, label: wordsOf(value) });

const pace = { count: '1', cycle_us: '', timeout_ms: '' };
export const sendForm = schemaForm('message.send', pace, [
  { key: 'count', label: 'Count', testId: 'send-count' },
  { key: 'cycle_us', label: 'Cycle time', inMilliseconds: true, testId: 'send-cycle' },
  { key: 'timeout_ms', label: 'Timeout', testId: 'send-timeout' },
]);

const isCyclic = (): boolean => !isResponse.value;

const isByName = (): boolean => source.value === 'database';

/** Signals that can count frames. */
const counters = (): readonly Choice[] =>
  (chosenMessage.value?.signals ?? [])
    .filter(({ kind, is_switch, array }) => kind === 'unsigned' && !is_switch && array === null)
    .map(({ name }) => ({ value: name, label: name }));

const task = { kind: 'cyclic', period_us: '100', count: '0', pattern: 'fixed', counter: '' };
export const taskForm = schemaForm('tx-task.add', task, [
  {
    key: 'kind',
    label: 'Kind',
    choices: () => kinds.value.map(choiceOf),
    shown: (): string => chosenKind.value,
    testId: 'task-kind',
  },
  {
    key: 'period_us',
    label: 'Cycle time',
    inMilliseconds: true,
    isShown: isCyclic,
    testId: 'task-period',
  },
  { key: 'count', label: 'Count', hint: '0 = unlimited', isShown: isCyclic, testId: 'task-count' },
  {
    key: 'pattern',
    label: 'Pattern',
    choices: () => enumOf('tx-task.add', 'pattern').map(choiceOf),
    isShown: () => isCyclic() && !isByName(),
    testId: 'task-pattern',
  },
  {
    key: 'counter',
    field: 'counter.signal',
    label: 'Counter',
    none: 'None',
    hint: 'Counts the frames',
    choices: counters,
    isShown: () => isCyclic() && isByName(),
    testId: 'task-counter',
  },
]);
const enumOf = (id: OperationId, field: string): readonly string[] =>
  (fieldSchema(openApi.data.value, id, field)?.enum ?? []).map(String);

export const activeForm = computed(() => (mode.value === 'send' ? sendForm : taskForm));

/** Result of the last send; cleared by any change of the form. */
export const result = signal<{ readonly at: Date; readonly answer: SendResult } | null>(null);

effect(() => {
  void sendForm.draft.value;
  result.value = null;
});

/** The first entry is chosen once: the selection must not change automatically. */
const settle = (choice: Signal<string>, first: string | undefined): void => {
  if (choice.value === '' && first !== undefined) choice.value = first;
};

effect(() => {
  if (!isAdvanced.value) settle(selector, sources.value.channels[0]?.selector);
});

const chosenChannel = computed(() => channelOf(selector.value, sources.value));
export const chosenBus = computed(() => chosenChannel.value?.bus ?? null);

export const kinds = computed(() => kindsOn(chosenChannel.value, enumOf('tx-task.add', 'kind')));

export const chosenKind = computed((): string => {
  const { kind } = taskForm.draft.value;
  return kinds.value.includes(kind) ? kind : (kinds.value[0] ?? kind);
});

export const isResponse = computed(
  () => mode.value === 'task' && chosenKind.value === 'lin_response',
);

/** A LIN slave cannot send immediately: it only answers headers of the master. */
export const isSlaveSending = computed(() => mode.value === 'send' && isSlave(chosenChannel.value));

const operation = computed(() => (mode.value === 'send' ? 'message.send' : 'tx-task.add'));

export const types = computed(() => typesOn(chosenChannel.value, enumOf(operation.value, 'type')));

export const chosenType = computed(() => {
  if (isResponse.value || isSlaveSending.value) return 'master-write';
  const { type } = frame.value;
  return types.value.includes(type) ? type : (types.value[0] ?? type);
});

export const visibleFrameFields = computed(() =>
  frameFields({ ...frame.value, type: chosenType.value }, chosenBus.value),
);

/** Databases of the channel first: their names are those that its frames have. */
export const databasesFor = (channel: Channel | null): readonly string[] => {
  const loaded = [...(catalogs.data.value?.values() ?? [])]
    .filter(({ type }) => channel === null || (type === 'ldf') === (channel.bus === 'lin'))
    .map(({ name }) => name);
  const attached = (channel?.databases ?? []).filter((name) => loaded.includes(name));
  return [...attached, ...loaded.filter((name) => !attached.includes(name))];
};

export const offeredDatabases = computed(() => databasesFor(chosenChannel.value));

export const isAttached = (database: string): boolean =>
  chosenChannel.value?.databases.includes(database) === true;

effect(() => {
  // Which databases are attached is known with the channels.
  if (channels.data.value) settle(databaseName, offeredDatabases.value[0]);
});

export const chosenDatabase = computed(() => catalogs.data.value?.get(databaseName.value) ?? null);

effect(() => settle(messageName, chosenDatabase.value?.message_page[0]?.name));

export const chosenMessage = computed<DatabaseMessage | null>(
  () => chosenDatabase.value?.message_page.find(({ name }) => name === messageName.value) ?? null,
);

export const chooseMessage = (name: string): void => {
  messageName.value = name;
  inputs.value = {};
  result.value = null;
  activeForm.peek().clear();
  const cycleMs = chosenMessage.peek()?.cycle_time_ms ?? 0;
  taskForm.change({ counter: '', ...(cycleMs > 0 ? { period_us: String(cycleMs) } : {}) });
};

export const chooseDatabase = (name: string): void => {
  databaseName.value = name;
  chooseMessage('');
};

/** Chooses a channel, and a database that is attached to it. */
export const chooseChannel = (value: string): void => {
  selector.value = value;
  result.value = null;
  activeForm.peek().touch('channel');
  const [first] = chosenChannel.peek()?.databases ?? [];
  if (first !== undefined && !isAttached(databaseName.peek())) chooseDatabase(first);
};

/** Node of a LIN network that sends the message, unless the master does: the master reads it. */
export const slaveOfMessage = computed<string | null>(() => {
  const { publisher = null } = chosenMessage.value?.lin ?? {};
  const master = chosenDatabase.value?.lin?.master;
  return mode.value === 'send' && publisher !== master ? publisher : null;
});

export const composed = computed(() => {
  const message = chosenMessage.value;
  return message && encodeMessage(message, inputs.value);
});

export const composedBody = computed(() => {
  if (!composed.value) return null;
  const named = { database: databaseName.value, message: messageName.value };
  return slaveOfMessage.value === null ? { ...named, signals: signalTexts(composed.value) } : named;
});
