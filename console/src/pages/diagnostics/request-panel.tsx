import { signal } from '@preact/signals';
import type { DiagnosticRequest } from '../../api/client.ts';
import { formatMicroseconds, formatTime } from '../../format/figures.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { ScrollArea } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { chosen, chosenEcu, links } from './diagnostics-state.ts';
import {
  answerWords,
  type Exchange,
  exchanges,
  forgetExchanges,
  limitMs,
  type Outcome,
  outcomeOf,
  remember,
  requestText,
  responseText,
  wordsOf,
} from './request-history.ts';
import { timeText } from './service-answer.tsx';

const shownExchange = signal<number | null>(null);

const form = schemaForm('uds.request', { data: '', protocol: 'uds', functional: false }, [
  {
    key: 'data',
    label: 'Request',
    class: 'wide',
    placeholder: '22 F1 90',
    hint: ({ data, protocol }) => (protocol === 'uds' && wordsOf(data)) || undefined,
    testId: 'uds-data',
  },
  {
    key: 'protocol',
    label: 'Protocol',
    choices: [
      { value: 'uds', label: 'UDS' },
      { value: 'isotp', label: 'ISO-TP' },
    ],
    testId: 'uds-protocol',
  },
  {
    key: 'functional',
    label: 'Functional',
    isAction: true,
    isShown: () => (chosen.value?.settings.functional_id ?? null) !== null,
    testId: 'uds-functional',
  },
]);

const send = async (): Promise<void> => {
  const ecu = chosenEcu.peek();
  if (ecu === null) return;
  const request = form.body() as DiagnosticRequest;
  const atMs = Date.now();
  const problems =
    form.draft.peek().data.trim() === '' ? [{ field: 'data', message: 'Required' }] : [];
  const answer = await form.submit({ params: { ecu }, problems, options: { limitMs } });
  const error = form.error.peek();
  // Refusals of a field are shown there: nothing was sent.
  if (!answer && !error) return;
  shownExchange.value = remember({ atMs, ecu, request, answer, error }).key;
  form.clear();
  await links.refresh();
};

const marks: Readonly<Record<Outcome, string>> = {
  positive: 'ok',
  negative: 'exception',
  failed: 'failed',
  sent: 'idle',
};

const columns: readonly Column<Exchange>[] = [
  column('time', 'Time', 84, ({ atMs }) => formatTime(new Date(atMs))),
  column('ecu', 'ECU', 84, ({ ecu }) => ecu, { least: 56, spare: 2 }),
  column('request', 'Request', 116, requestText, { least: 84, grows: true, mono: true }),
  column('response', 'Response', 140, responseText, { least: 84, grows: true, mono: true }),
  column('outcome', 'Outcome', 88, outcomeOf, {
    render: (exchange) => (
      <StateMark state={marks[outcomeOf(exchange)]} label={outcomeOf(exchange)} />
    ),
  }),
  column('words', 'In words', 260, answerWords, { least: 140, grows: true, spare: 1 }),
  numbers('pending', 'Pending', 68, ({ answer }) => answer?.pending ?? null, { spare: 3 }),
  column(
    'duration',
    'Duration',
    76,
    ({ answer }) => (answer ? formatMicroseconds(answer.duration_us) : '–'),
    { align: 'end' },
  ),
];

const Detail = ({ exchange }: { readonly exchange: Exchange }) => (
  <ScrollArea class="exchange">
    <div data-testid="uds-answer">
      {exchange.error ? (
        <ErrorNotice error={exchange.error} testId="uds-error" />
      ) : (
        <>
          <p role="status">
            <StateMark state={marks[outcomeOf(exchange)]} label={outcomeOf(exchange)} />{' '}
            {answerWords(exchange)}{' '}
            <span class="quiet">{exchange.answer && timeText(exchange.answer)}</span>
          </p>
          {responseText(exchange) !== '' && <pre>{responseText(exchange)}</pre>}
        </>
      )}
    </div>
  </ScrollArea>
);

/** Any request as bytes, with those of this window and their answers. */
export const RequestPanel = () => {
  const list = exchanges.value;
  const shown = list.find(({ key }) => key === shownExchange.value);
  const ecu = chosenEcu.value;
  return (
    <ListPanel<Exchange>
      name="uds-requests"
      title={ecu === null ? 'Requests' : `Requests to ${ecu}`}
      label="Requests and responses"
      class="requests"
      columns={columns}
      rows={list}
      keyOf={({ key }) => key}
      selected={({ key }) => key === shownExchange.value}
      onSelect={({ key, request }) => {
        shownExchange.value = key;
        form.change({ data: request.data ?? '' });
      }}
      rowAttributes={(exchange) => ({ 'data-outcome': outcomeOf(exchange) })}
      followsEnd
      empty="No requests yet. Type the bytes of one above."
      footer={shown && <Detail key={shown.key} exchange={shown} />}
      actions={
        <button
          type="button"
          data-testid="uds-clear"
          {...unusableWhile(list.length === 0)}
          onClick={forgetExchanges}
        >
          Clear
        </button>
      }
    >
      <FormView
        form={form}
        name="uds"
        submitId="uds-send"
        submitText="Send"
        errorId="uds-refusal"
        isOneLine
        onSubmit={send}
      />
    </ListPanel>
  );
};
