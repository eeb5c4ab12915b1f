import './api.css';
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import type { Capabilities } from '../../api/client.ts';
import { formatBytes, formatCount, sentence } from '../../format/figures.ts';
import { capabilities, openApi } from '../../state/bench.ts';
import { offerCommands } from '../../state/commands.ts';
import { currentPage, goTo, pageQuery } from '../../state/pages.ts';
import { ListPanel } from '../../ui/list-panel.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { SaveLink } from '../../ui/save-link.tsx';
import { setter } from '../../ui/set-signal.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { type Column, column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { type ApiAnswer, maxShown } from './api-call.ts';
import { pendingRun, showOperation } from './api-commands.ts';
import { type ApiOperation, matchesSearch, operationsOf, takesNothing } from './api-operations.ts';
import { callOf, type OperationCall } from './call-state.ts';
import { MetricsView } from './metrics-view.tsx';
import { OperationsView, SearchHeader } from './operations-view.tsx';
import { RequestPanel } from './request-panel.tsx';

const streamNames = { sse: 'SSE', websocket: 'WebSocket' } as const;

const columns: readonly Column<ApiOperation>[] = [
  column('method', 'Method', 76, ({ method }) => method, { mono: true }),
  column('path', 'Path', 270, ({ path }) => path, {
    ...{ least: 200, grows: true, mono: true },
    render: ({ path, summary, stream }) => (
      <span title={summary}>
        {path.replace(/^\/api\/v1/, '')}{' '}
        {stream && <StateMark state="off" label={streamNames[stream]} />}
      </span>
    ),
  }),
];

interface OperationPickerProps {
  readonly operations: readonly ApiOperation[];
  readonly picked: ApiOperation | null;
  readonly onPick: (id: string) => void;
}

const OperationPicker = ({ operations, picked, onPick }: OperationPickerProps) => {
  const search = useSignal('');
  const found = operations.filter((operation) => matchesSearch(operation, search.value));
  return (
    <ListPanel<ApiOperation>
      name="picker"
      title="Typed API"
      label="API operations"
      class="picker"
      source={openApi}
      header={
        <SearchHeader
          name="picker"
          found={found.length}
          all={operations.length}
          label="Search operations"
          search={search}
        />
      }
      columns={columns}
      rows={found}
      keyOf={({ id }) => id}
      selected={(operation) => operation.id === picked?.id}
      onSelect={({ id }) => onPick(id)}
      rowAttributes={({ id }) => ({ 'data-operation': id })}
      empty={operations.length === 0 ? null : <p>No operation matches “{search.value}”.</p>}
    />
  );
};

const AnswerHead = ({ answer }: { readonly answer: ApiAnswer }) => (
  <>
    <StateMark
      state={answer.status < 400 ? 'ok' : 'failed'}
      label={`${answer.status} ${answer.reason}`}
      testId="answer-status"
      live
    />
    <span class="quiet" data-testid="answer-time">
      {answer.elapsedMs < 10 ? answer.elapsedMs.toFixed(1) : answer.elapsedMs.toFixed(0)} ms
    </span>
    <span class="quiet">{formatBytes(answer.size)}</span>
    <span class="grow" />
    {answer.requestId && (
      <code class="request-id quiet" title={`Request ID in the log: ${answer.requestId}`}>
        {answer.requestId}
      </code>
    )}
  </>
);

const save = (call: OperationCall, { text }: ApiAnswer): void => {
  const isJson = /^\s*[[{]/.test(text);
  const type = isJson ? 'application/json' : 'text/plain';
  saveFile(new Blob([text], { type }), `${call.operation.id}.${isJson ? 'json' : 'txt'}`);
};

const AnswerPanel = ({ call }: { readonly call: OperationCall }) => {
  const answer = call.answer.value;
  return (
    <Panel
      title="Response"
      class="answer"
      testId="answer"
      header={answer && <AnswerHead answer={answer} />}
    >
      <ErrorNotice error={call.error.value ?? answer?.error ?? null} testId="answer-error" />
      {answer?.isCut && (
        <Notice tone="warn">
          <p>
            Only the first {formatBytes(maxShown)} are shown.{' '}
            <button type="button" class="link" onClick={() => save(call, answer)}>
              Save full response
            </button>
          </p>
        </Notice>
      )}
      {answer && answer.shown !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
        <pre class="scroll" tabIndex={0} data-testid="answer-body">
          {answer.shown}
        </pre>
      )}
      {!answer && !call.error.value && (
        <p class="empty">
          {call.operation.stream
            ? 'Streams cannot be sent from this page.'
            : 'Send the request to see the response.'}
        </p>
      )}
    </Panel>
  );
};

const limitText = (name: string, value: number): string => {
  if (name.endsWith('_bytes')) return formatBytes(value);
  return name.endsWith('_us') ? `${formatCount(value / 1_000_000)} s` : formatCount(value);
};

const limitLabel = (name: string): string => sentence(name.replace(/_(bytes|us)$/, ''));

const securityRows = ({ authentication, tls, cors }: Capabilities['security']) => [
  ['Authentication', authentication === 'token' ? 'token required' : 'none (local programs only)'],
  ['Encryption', tls ? 'TLS' : 'none (use a TLS proxy)'],
  ['Cross-origin requests', cors ? 'allowed' : 'rejected'],
];

const sectionsOf = ({ limits, security, events }: Capabilities) =>
  [
    ['Limits', Object.entries(limits).map(([name, value]) => [name, limitText(name, value)])],
    ['Security', securityRows(security)],
    ['Raw event status codes', Object.entries(events.statuses)],
  ] as const;

const LimitsView = () => {
  const { data, error } = useResource(capabilities);
  return (
    <Panel title="Capabilities" testId="capabilities" freshness={freshness(capabilities)}>
      <ErrorNotice error={error.value} />
      <ScrollArea class="limits">
        {(data.value ? sectionsOf(data.value) : []).map(([title, rows]) => (
          <Fragment key={title}>
            <h3>{title}</h3>
            <dl data-testid={title.toLowerCase()}>
              {rows.map(([name, value]) => (
                <div key={name}>
                  <dt>{limitLabel(String(name))}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </Fragment>
        ))}
      </ScrollArea>
    </Panel>
  );
};

const documents = [
  { title: 'OpenAPI document', path: '/api/v1/openapi.json', file: 'busbar-openapi.json' },
  { title: 'Capabilities', path: '/api/v1/capabilities', file: 'busbar-capabilities.json' },
  { title: 'Metrics', path: '/metrics', file: 'busbar-metrics.txt' },
] as const;

const SaveLinks = () => {
  const error = useSignal<ApiError | null>(null);
  return (
    <span class="save-links">
      <span class="quiet">Save</span>
      {documents.map(({ title, path, file }) => (
        <SaveLink
          key={path}
          path={path}
          file={file}
          label={`Save ${title}`}
          testId={`save-${file}`}
          onDone={setter(error)}
        >
          {title}
        </SaveLink>
      ))}
      {error.value && (
        <span data-tone="bad" role="status">
          <code>{error.value.code}</code> {error.value.message}
        </span>
      )}
    </span>
  );
};

const CallView = ({ wanted }: { readonly wanted: string | null }) => {
  const document = openApi.data.value;
  const operations = useMemo(() => (document ? operationsOf(document) : []), [document]);
  const schemas = document?.components.schemas ?? {};
  const picked = operations.find(({ id }) => id === wanted) ?? operations[0] ?? null;
  const call = picked && callOf(picked, schemas);
  const isUnknown = wanted !== null && document !== null && picked?.id !== wanted;

  useEffect(() => {
    if (!call || pendingRun.value !== call.operation.id) return;
    pendingRun.value = null;
    if (takesNothing(call.operation)) void call.send(schemas);
  }, [call, pendingRun.value]);
  return (
    <div class="call-view">
      <OperationPicker
        operations={operations}
        picked={isUnknown ? null : picked}
        onPick={showOperation}
      />
      {isUnknown && (
        <Panel title={wanted} class="unknown">
          <p class="empty">No such HTTP operation. Choose one from the list.</p>
        </Panel>
      )}
      {call && !isUnknown && (
        <>
          <RequestPanel key={call.operation.id} call={call} schemas={schemas} />
          <AnswerPanel call={call} />
        </>
      )}
    </div>
  );
};

const views = [
  { id: 'call', title: 'Typed API' },
  { id: 'operations', title: 'Operations' },
  { id: 'metrics', title: 'Metrics' },
  { id: 'capabilities', title: 'Capabilities' },
] as const;
type ViewId = (typeof views)[number]['id'];

const viewCommands = () =>
  views.map(({ id, title }) => ({
    id: `api-${id}`,
    group: 'API',
    title,
    run: () => goTo('api', { view: id }),
  }));

export const ApiPage = () => {
  const view = useSignal<ViewId>('call');
  const wanted = useSignal<string | null>(null);
  const isInFront = currentPage.value.id === 'api';
  useEffect(() => offerCommands(viewCommands), []);
  // The URL belongs to the visible page, so a hidden page keeps its last view.
  useEffect(() => {
    if (!isInFront) return;
    const operation = pageQuery.value.get('operation');
    const named = views.find(({ id }) => id === pageQuery.value.get('view'));
    if (operation !== null) wanted.value = operation;
    view.value = operation === null && named ? named.id : 'call';
  }, [isInFront, pageQuery.value]);
  return (
    <div class="api">
      <div class="views-bar">
        <nav class="views" aria-label="API views">
          {views.map(({ id, title }) => (
            <a
              key={id}
              href={`#api?view=${id}`}
              aria-current={id === view.value ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <span class="grow" />
        <SaveLinks />
      </div>
      {view.value === 'call' && <CallView wanted={wanted.value} />}
      {view.value === 'operations' && <OperationsView />}
      {view.value === 'metrics' && <MetricsView isInFront={isInFront} />}
      {view.value === 'capabilities' && <LimitsView />}
    </div>
  );
};
