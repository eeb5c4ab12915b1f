import './api.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import { request, succeeded } from '../../api/client.ts';
import { formatBytes, formatCount } from '../../format/figures.ts';
import { capabilities, openApi } from '../../state/bench.ts';
import { offerCommands } from '../../state/commands.ts';
import { currentPage, goTo, pageQuery } from '../../state/pages.ts';
import { rememberedToken } from '../../storage/remembered.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { type ApiAnswer, mostShown } from './api-call.ts';
import { type ApiOperation, matchesSearch, operationsOf, takesNothing } from './api-operations.ts';
import { callOf, type OperationCall } from './call-state.ts';
import { MetricsView } from './metrics-view.tsx';
import { pendingRun, showOperation } from './operation-choice.ts';
import { OperationsView, SearchBox } from './operations-view.tsx';
import { RequestPanel } from './request-panel.tsx';

const columns: readonly Column<ApiOperation>[] = [
  { id: 'method', title: 'Method', width: 76, mono: true, text: ({ method }) => method },
  {
    id: 'path',
    title: 'Path',
    width: 270,
    least: 200,
    grows: true,
    mono: true,
    text: ({ path }) => path,
    render: ({ path, summary, stream }) => (
      <span title={summary}>
        {path.replace(/^\/api\/v1/, '')} {stream && <StateMark state="off" label={stream} />}
      </span>
    ),
  },
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
    <Panel
      title="Typed API"
      class="picker"
      testId="operation-picker"
      freshness={freshness(openApi)}
      header={
        <>
          <span class="quiet" data-testid="picker-count">
            {found.length} of {operations.length}
          </span>
          <SearchBox
            label="Search operations"
            value={search.value}
            testId="picker-search"
            onInput={(text) => {
              search.value = text;
            }}
          />
        </>
      }
    >
      <ErrorNotice error={openApi.error.value} testId="picker-error" />
      <DataTable<ApiOperation>
        id="api-operations"
        label="Operations of the API"
        testId="picker-table"
        columns={columns}
        rows={found}
        keyOf={({ id }) => id}
        selected={(operation) => operation.id === picked?.id}
        onSelect={({ id }) => onPick(id)}
        rowAttributes={({ id }) => ({ 'data-operation': id })}
        empty={operations.length === 0 ? null : <p>No operation matches “{search.value}”.</p>}
      />
    </Panel>
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
      <code class="request-id quiet" title={`Id of the request in the log: ${answer.requestId}`}>
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
      title="Answer"
      class="answer"
      testId="answer"
      header={answer && <AnswerHead answer={answer} />}
    >
      <ErrorNotice error={call.error.value ?? answer?.error ?? null} testId="answer-error" />
      {answer?.isCut && (
        <Notice tone="warn">
          <p>
            Only the first {formatBytes(mostShown)} are shown.{' '}
            <button type="button" class="link" onClick={() => save(call, answer)}>
              Save all of it
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
            ? 'A stream is not called from here.'
            : 'Send the request to see its answer here.'}
        </p>
      )}
    </Panel>
  );
};

const limitText = (name: string, value: number): string => {
  if (name.endsWith('_bytes')) return formatBytes(value);
  return name.endsWith('_us') ? `${formatCount(value / 1_000_000)} s` : formatCount(value);
};

const limitLabel = (name: string): string => name.replace(/_(bytes|us)$/, '').replaceAll('_', ' ');

const LimitsView = () => {
  const { data, error } = useResource(capabilities);
  const known = data.value;
  return (
    <Panel title="Capabilities" testId="capabilities" freshness={freshness(capabilities)}>
      <ErrorNotice error={error.value} />
      <ScrollArea class="limits">
        {known && (
          <>
            <h3>Limits</h3>
            <dl data-testid="limits">
              {Object.entries(known.limits).map(([name, value]) => (
                <div key={name}>
                  <dt>{limitLabel(name)}</dt>
                  <dd>{limitText(name, value)}</dd>
                </div>
              ))}
            </dl>
            <h3>Security</h3>
            <dl>
              <div>
                <dt>authentication</dt>
                <dd>
                  {known.security.authentication === 'token'
                    ? 'token required'
                    : 'open to programs on this machine'}
                </dd>
              </div>
              <div>
                <dt>encryption</dt>
                <dd>{known.security.tls ? 'TLS' : 'none; put a proxy before it'}</dd>
              </div>
              <div>
                <dt>other origins</dt>
                <dd>{known.security.cors ? 'allowed' : 'refused'}</dd>
              </div>
            </dl>
            <h3>Statuses of raw events</h3>
            <dl>
              {Object.entries(known.events.statuses).map(([name, value]) => (
                <div key={name}>
                  <dt>{limitLabel(name)}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </ScrollArea>
    </Panel>
  );
};

const documents = [
  { title: 'OpenAPI document', path: '/api/v1/openapi.json', file: 'busbar-openapi.json' },
  { title: 'capabilities', path: '/api/v1/capabilities', file: 'busbar-capabilities.json' },
  { title: 'metrics', path: '/metrics', file: 'busbar-metrics.txt' },
] as const;

const SaveLinks = () => {
  const error = useSignal<ApiError | null>(null);
  /** A link cannot carry a token, so with one the console fetches the document and saves it. */
  const save = async (event: Event, path: string, file: string): Promise<void> => {
    if (rememberedToken.get() === null) return;
    event.preventDefault();
    try {
      saveFile(
        await request(path, {}, async (response) => (await succeeded(response)).blob()),
        file,
      );
      error.value = null;
    } catch (thrown) {
      error.value = thrown as ApiError;
    }
  };
  return (
    <span class="save-links">
      <span class="quiet">Save</span>
      {documents.map(({ title, path, file }) => (
        <a
          key={path}
          href={path}
          download={file}
          aria-label={`Save the ${title}`}
          data-testid={`save-${file}`}
          onClick={(event) => void save(event, path, file)}
        >
          {title}
        </a>
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
          <p class="empty">This service has no such operation over HTTP. Pick one from the list.</p>
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

/** Everything that the service offers to programs, to look up and to try. */
export const ApiPage = () => {
  const view = useSignal<ViewId>('call');
  const wanted = useSignal<string | null>(null);
  const isInFront = currentPage.value.id === 'api';
  useEffect(() => offerCommands(viewCommands), []);
  // The address belongs to the page in front: what it said last stays while that is another one.
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
        <nav class="views" aria-label="Parts of the API page">
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
