import { computed, effect, type Signal, signal } from '@preact/signals';
import { formatHex } from '../../../../src/frame/hex-bytes.ts';
import type { DatabaseMessage, SendResult } from '../../api/client.ts';
import { encodeMessage, type SignalInputs } from '../../codec/encode-message.ts';
import { channelOf, type SelectorSources } from '../../forms/channel-selectors.ts';
import { fieldSchema } from '../../forms/contract.ts';
import { requestForm } from '../../forms/request-form.ts';
import { bench, catalogs, channels, openApi } from '../../state/bench.ts';
import {
  emptyFrame,
  type FrameDraft,
  frameFields,
  isSlave,
  kindsOn,
  type PaceDraft,
  type TaskDraft,
  typesOn,
} from './frame-draft.ts';

/** Everything that the form of the page holds; it lives as long as the page is open. */
export const source = signal<'raw' | 'database'>('raw');
export const mode = signal<'send' | 'task'>('send');
export const isAdvanced = signal(false);
export const selector = signal('');
export const frame = signal<FrameDraft>(emptyFrame);
export const pace = signal<PaceDraft>({ count: '1', cycle_ms: '', timeout_ms: '' });
export const task = signal<TaskDraft>({
  kind: 'cyclic',
  period_ms: '100',
  count: '0',
  pattern: 'fixed',
});

export const databaseName = signal('');
export const messageName = signal('');
export const inputs = signal<SignalInputs>({});

export const sendForm = requestForm('message.send');
export const taskForm = requestForm('tx-task.add');
export const activeForm = computed(() => (mode.value === 'send' ? sendForm : taskForm));

/** What came of the last send, until something is changed. */
export const result = signal<{ readonly at: Date; readonly answer: SendResult } | null>(null);

export const sources = computed<SelectorSources>(() => ({
  channels: channels.data.value?.channels ?? [],
  networks: bench.data.value?.networks ?? {},
}));

/** The first one until the user chooses. It is settled then: what is sent must not turn into another. */
const settle = (choice: Signal<string>, first: string | undefined): void => {
  if (choice.value === '' && first !== undefined) choice.value = first;
};

effect(() => {
  if (!isAdvanced.value) settle(selector, sources.value.channels[0]?.selector);
});

export const chosenChannel = computed(() => channelOf(selector.value, sources.value));
export const chosenBus = computed(() => chosenChannel.value?.bus ?? null);

/** Kinds of tasks in the contract that the chosen channel can run. */
export const kinds = computed(() => {
  const schema = fieldSchema(openApi.data.value, 'tx-task.add', 'kind');
  return kindsOn(chosenChannel.value, (schema?.enum ?? []).map(String));
});

export const chosenKind = computed(() => {
  const { kind } = task.value;
  return kinds.value.includes(kind) ? kind : (kinds.value[0] ?? kind);
});

export const isResponse = computed(
  () => mode.value === 'task' && chosenKind.value === 'lin_response',
);

/** A frame of a LIN slave, which cannot be sent now: it is only given when the master asks for it. */
export const isSlaveSending = computed(() => mode.value === 'send' && isSlave(chosenChannel.value));

const operation = computed(() => (mode.value === 'send' ? 'message.send' : 'tx-task.add'));

/** Types in the contract that the chosen channel can send. */
export const types = computed(() => {
  const schema = fieldSchema(openApi.data.value, operation.value, 'type');
  return typesOn(chosenChannel.value, (schema?.enum ?? []).map(String));
});

export const chosenType = computed(() => {
  if (isResponse.value || isSlaveSending.value) return 'master-write';
  const { type } = frame.value;
  return types.value.includes(type) ? type : (types.value[0] ?? type);
});

export const visibleFrameFields = computed(() =>
  frameFields({ ...frame.value, type: chosenType.value }, chosenBus.value),
);

effect(() => settle(databaseName, catalogs.data.value?.keys().next().value));

/** Null where it was unloaded meanwhile. */
export const chosenDatabase = computed(() => catalogs.data.value?.get(databaseName.value) ?? null);

effect(() => settle(messageName, chosenDatabase.value?.message_page[0]?.name));

/** Null where its database has it no more. */
export const chosenMessage = computed<DatabaseMessage | null>(
  () => chosenDatabase.value?.message_page.find(({ name }) => name === messageName.value) ?? null,
);

export const composed = computed(() => {
  const message = chosenMessage.value;
  return message && encodeMessage(message, inputs.value);
});

/** The composed message as fields of a frame. */
export const composedBody = computed(() => {
  const message = chosenMessage.value;
  if (!message || !composed.value) return null;
  const { id, extended, fd, brs } = message;
  const data = formatHex(composed.value.bytes);
  return { type: 'data', id, extended, ...(fd ? { fd, brs } : {}), data };
});
