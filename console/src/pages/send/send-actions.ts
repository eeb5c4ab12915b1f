import type { MessageSendRequest } from '../../api/client.ts';
import { formatCount } from '../../format/figures.ts';
import { sourceProblems } from '../../forms/channel-selectors.ts';
import { fieldSchema } from '../../forms/contract.ts';
import { idText, microsecondsOf, millisecondsText } from '../../forms/number-text.ts';
import { requestForm } from '../../forms/request-form.ts';
import type { Problem } from '../../forms/schema-problems.ts';
import { openApi } from '../../state/bench.ts';
import { frameBody, idDigits, numbersBody } from './frame-draft.ts';
import { frameProblems } from './frame-problems.ts';
import {
  chosenBus,
  chosenKind,
  chosenType,
  composed,
  composedBody,
  frame,
  isAdvanced,
  isResponse,
  mode,
  pace,
  result,
  selector,
  sendForm,
  source,
  sources,
  task,
  taskForm,
  visibleFrameFields,
} from './send-state.ts';
import { rememberSent, type SentFrame } from './sent-history.ts';
import { txTasks } from './transmit-resources.ts';

/** How long an answer may take beyond the time that the sending itself takes. */
const baseTimeoutMs = 5000;
const defaultTimeoutMs = 1000;

/** The frame of the form, composed or typed. */
const frameInForm = (): Readonly<Record<string, unknown>> => {
  if (source.value === 'database') return composedBody.value ?? {};
  const body = frameBody(frame.value, visibleFrameFields.value);
  return isResponse.value ? body : { type: chosenType.value, ...body };
};

const visibleFields = (own: readonly string[]): readonly string[] => [
  'channel',
  ...(source.value === 'raw' ? ['type', ...visibleFrameFields.value] : ['data']),
  ...own,
];

/** Advanced mode takes any selector; everything else is checked all the same. */
const selectorProblems = (): readonly Problem[] =>
  isAdvanced.value ? [] : sourceProblems('channel', selector.value, sources.value);

const composeProblems = (): readonly Problem[] => {
  if (source.value === 'raw' || composed.value?.isComplete) return [];
  const message = composed.value ? 'Some signals cannot be encoded' : 'There is no message to send';
  return [{ field: 'data', message }];
};

/** What is wrong with a time that is typed in milliseconds, in the same unit. */
const durationProblems = (
  operation: 'message.send' | 'tx-task.add',
  field: string,
  text: string,
): readonly Problem[] => {
  const us = microsecondsOf(text);
  if (us === undefined) return [];
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } =
    fieldSchema(openApi.data.value, operation, field) ?? {};
  if (typeof us === 'string') return [{ field, message: 'Must be a number of milliseconds' }];
  if (us < minimum) return [{ field, message: `Must be at least ${minimum / 1000}` }];
  if (us > maximum) return [{ field, message: `Must be at most ${formatCount(maximum / 1000)}` }];
  return Number.isInteger(us) ? [] : [{ field, message: 'Must be a multiple of 0.001' }];
};

const problemsOf = (body: Readonly<Record<string, unknown>>): readonly Problem[] => [
  ...selectorProblems(),
  ...composeProblems(),
  ...frameProblems(isResponse.value ? { type: 'master-write', ...body } : body, chosenBus.value),
];

const limitFor = ({ count = 1, cycle_us = 0, timeout_ms }: MessageSendRequest): number => {
  const sendingMs = (count * cycle_us) / 1000;
  const total = baseTimeoutMs + sendingMs + (timeout_ms ?? defaultTimeoutMs);
  return Number.isFinite(total) ? Math.min(total, 120_000) : baseTimeoutMs;
};

/** Sends what is in the form, if the contract has nothing against it. */
export const sendNow = async (): Promise<void> => {
  const channel = selector.value;
  const { count, cycle_ms, timeout_ms } = pace.value;
  const cycle_us = microsecondsOf(cycle_ms);
  const body = {
    channel,
    ...frameInForm(),
    ...numbersBody({ count, timeout_ms }),
    ...(cycle_us === undefined ? {} : { cycle_us }),
  };
  result.value = null;
  const advanced = isAdvanced.value;
  const answer = await sendForm.submit({
    body,
    visible: visibleFields(['count', 'cycle_us', 'timeout_ms']),
    problems: [...problemsOf(body), ...durationProblems('message.send', 'cycle_us', cycle_ms)],
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

/** Makes a task of what is in the form. */
export const addTask = async (): Promise<void> => {
  const { period_ms, count, pattern } = task.value;
  const period_us = microsecondsOf(period_ms);
  const timing = isResponse.value
    ? {}
    : { ...(period_us === undefined ? {} : { period_us }), ...numbersBody({ count }), pattern };
  const body = { channel: selector.value, kind: chosenKind.value, ...frameInForm(), ...timing };
  const timingProblems = (): readonly Problem[] => {
    if (isResponse.value) return [];
    if (period_us === undefined) return [{ field: 'period_us', message: 'Is required' }];
    return durationProblems('tx-task.add', 'period_us', period_ms);
  };
  const added = await taskForm.submit({
    body,
    visible: visibleFields(['kind', 'period_us', 'count', 'pattern']),
    problems: [...problemsOf(body), ...timingProblems()],
  });
  if (added) await txTasks.refresh();
};

/** What Enter does. */
export const submit = (): Promise<void> => (mode.value === 'send' ? sendNow() : addTask());

export const resendForm = requestForm('message.send');

/** Sends a frame of the history once more. */
export const sendAgain = async ({ request, advanced }: SentFrame): Promise<void> => {
  const answer = await resendForm.submit({
    body: request,
    visible: [],
    problems: advanced ? [] : sourceProblems('channel', request.channel, sources.value),
    options: { limitMs: limitFor(request) },
  });
  if (answer) rememberSent({ at: Date.now(), request, advanced, accepted: answer.accepted });
};

const text = (value: unknown): string => (value === undefined ? '' : String(value));

/** Puts a frame of the history back into the form. */
export const editAgain = ({ request, advanced }: SentFrame): void => {
  const { id, extended = false } = request;
  source.value = 'raw';
  mode.value = 'send';
  isAdvanced.value = advanced;
  selector.value = request.channel;
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
  pace.value = {
    count: text(request.count),
    cycle_ms: millisecondsText(request.cycle_us),
    timeout_ms: text(request.timeout_ms),
  };
  sendForm.clear();
  result.value = null;
};
