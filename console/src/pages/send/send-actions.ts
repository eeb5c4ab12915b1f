import { type ReadonlySignal, signal } from '@preact/signals';
import type { MessageSendRequest } from '../../api/client.ts';
import { inputOf } from '../../codec/encode-message.ts';
import { sources } from '../../forms/bench-sources.ts';
import { sourceProblems } from '../../forms/channel-selectors.ts';
import type { Problem } from '../../forms/contract.ts';
import { idText, millisecondsText } from '../../forms/number-text.ts';
import { requestForm } from '../../forms/request-form.ts';
import { channels } from '../../state/bench.ts';
import { rememberedList } from '../../storage/remembered.ts';
import { frameBody, frameProblems, idDigits } from './frame-draft.ts';
import {
  chooseDatabase,
  chooseMessage,
  chosenBus,
  chosenKind,
  chosenMessage,
  chosenType,
  composed,
  composedBody,
  frame,
  inputs,
  isAdvanced,
  isResponse,
  mode,
  result,
  selector,
  sendForm,
  source,
  taskForm,
  txTasks,
  visibleFrameFields,
} from './send-state.ts';

export interface SentFrame {
  readonly at: number;
  readonly request: MessageSendRequest;
  readonly advanced: boolean;
  readonly accepted: number;
}

export const maxHistory = 30;

/** A repeated frame moves to the top instead of being listed twice. */
export const withSent = (history: readonly SentFrame[], frame: SentFrame): readonly SentFrame[] => {
  const text = JSON.stringify(frame.request);
  const others = history.filter(({ request }) => JSON.stringify(request) !== text);
  return [frame, ...others].slice(0, maxHistory);
};

const noFrame: SentFrame = { at: 0, request: { channel: '' }, advanced: false, accepted: 0 };
const kept = rememberedList('busbar.sent', noFrame);
const frames = signal<readonly SentFrame[]>(kept.get());

export const sentHistory: ReadonlySignal<readonly SentFrame[]> = frames;

const rememberSent = (frame: SentFrame): void => {
  frames.value = withSent(frames.peek(), frame);
  kept.set(frames.peek());
};

export const forgetSent = (): void => {
  frames.value = [];
  kept.set([]);
};

/** Timeout of the response in addition to the sending time. */
const baseTimeoutMs = 5000;
const defaultTimeoutMs = 1000;

const frameInForm = (): Readonly<Record<string, unknown>> => {
  if (source.value === 'database') return composedBody.value ?? {};
  const body = frameBody(frame.value, visibleFrameFields.value);
  return isResponse.value ? body : { type: chosenType.value, ...body };
};

const shownSignals = (): readonly string[] =>
  composed.value?.signals.map(({ signal }) => `signals.${signal.name}`) ?? [];

const visibleFields = (own: readonly string[]): readonly string[] => [
  'channel',
  ...(source.value === 'raw'
    ? ['type', ...visibleFrameFields.value]
    : ['database', 'message', ...shownSignals()]),
  ...own,
];

/** Advanced mode accepts any selector; all other checks apply. */
const selectorProblems = (): readonly Problem[] =>
  isAdvanced.value ? [] : sourceProblems('channel', selector.value, sources.value);

const composeProblems = (): readonly Problem[] => {
  if (composed.value?.isComplete) return [];
  const message = composed.value ? 'Some signals cannot be encoded' : 'No message selected';
  return [{ field: 'message', message }];
};

const problemsOf = (body: Readonly<Record<string, unknown>>): readonly Problem[] => [
  ...selectorProblems(),
  ...(source.value === 'raw'
    ? frameProblems(isResponse.value ? { type: 'master-write', ...body } : body, chosenBus.value)
    : composeProblems()),
];

const limitFor = ({ count = 1, cycle_us = 0, timeout_ms }: MessageSendRequest): number => {
  const sendingMs = (count * cycle_us) / 1000;
  const total = baseTimeoutMs + sendingMs + (timeout_ms ?? defaultTimeoutMs);
  return Number.isFinite(total) ? Math.min(total, 120_000) : baseTimeoutMs;
};

const sendNow = async (): Promise<void> => {
  const body = { channel: selector.value, ...frameInForm(), ...sendForm.body() };
  result.value = null;
  const advanced = isAdvanced.value;
  const answer = await sendForm.submit({
    body,
    visible: visibleFields(['count', 'cycle_us', 'timeout_ms']),
    problems: problemsOf(body),
    options: { limitMs: limitFor(body as MessageSendRequest) },
  });
  if (!answer) return;
  const at = new Date();
  result.value = { at, answer };
  rememberSent({
    at: at.getTime(),
    request: body as MessageSendRequest,
    advanced,
    accepted: answer.accepted,
  });
};

const addTask = async (): Promise<void> => {
  const timing = { ...taskForm.body(), kind: chosenKind.value };
  const body: Record<string, unknown> = { channel: selector.value, ...frameInForm(), ...timing };
  const lacksPeriod = !isResponse.value && body.period_us === undefined;
  const added = await taskForm.submit({
    body,
    visible: visibleFields(['kind', 'period_us', 'count', 'pattern', 'counter.signal']),
    problems: [
      ...problemsOf(body),
      ...(lacksPeriod ? [{ field: 'period_us', message: 'Required' }] : []),
    ],
  });
  if (added) await txTasks.refresh();
};

export const submit = (): Promise<void> => (mode.value === 'send' ? sendNow() : addTask());

export const resendForm = requestForm('message.send');

export const sendAgain = async ({ request, advanced }: SentFrame): Promise<void> => {
  // Until the channels are known, the service alone checks the selector.
  const isChecked = !advanced && channels.data.peek() !== null;
  const answer = await resendForm.submit({
    body: request,
    visible: [],
    problems: isChecked ? sourceProblems('channel', request.channel, sources.value) : [],
    options: { limitMs: limitFor(request) },
  });
  if (answer) rememberSent({ at: Date.now(), request, advanced, accepted: answer.accepted });
};

const text = (value: unknown): string => (value === undefined ? '' : String(value));

const editByName = ({ database = '', message = '', signals = {} }: MessageSendRequest): void => {
  source.value = 'database';
  chooseDatabase(database);
  chooseMessage(message);
  const known = chosenMessage.value?.signals ?? [];
  inputs.value = Object.fromEntries(
    known.flatMap((signal) => {
      const given = signals[signal.name];
      return given === undefined ? [] : [[signal.name, inputOf(signal, given)]];
    }),
  );
};

const editFrame = (request: MessageSendRequest): void => {
  const { id, extended = false } = request;
  source.value = 'raw';
  frame.value = {
    type: request.type ?? 'data',
    id: typeof id === 'number' ? idText(id, idDigits(chosenBus.value, extended)) : text(id),
    extended,
    fd: request.fd ?? false,
    brs: request.brs ?? false,
    esi: request.esi ?? false,
    dlc: text(request.dlc),
    data: request.data ?? '',
    checksum: request.checksum ?? '',
  };
};

export const editAgain = ({ request, advanced }: SentFrame): void => {
  mode.value = 'send';
  isAdvanced.value = advanced;
  selector.value = request.channel;
  if (request.message === undefined) editFrame(request);
  else editByName(request);
  sendForm.change({
    count: text(request.count),
    cycle_us: millisecondsText(request.cycle_us),
    timeout_ms: text(request.timeout_ms),
  });
  sendForm.clear();
  result.value = null;
};
