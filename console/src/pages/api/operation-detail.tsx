import type { Operation, OperationParameter } from '../../api/client.ts';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { httpText } from './api-operations.ts';
import { allowedText } from './body-template.ts';
import { showOperation } from './operation-choice.ts';

const needs: Readonly<Record<Operation['execution']['daemon'], string>> = {
  none: 'not asked',
  optional: 'answers without one',
  required: 'required',
  start: 'started if none is running',
};

const ParameterRow = ({ parameter }: { readonly parameter: OperationParameter }) => (
  <tr>
    <th scope="row">
      <code>{parameter.name}</code>
    </th>
    <td>
      {parameter.type}
      {parameter.required && <p class="quiet">required</p>}
    </td>
    <td class="wrap">
      {parameter.description} <span class="quiet">{allowedText(parameter.schema, {})}</span>
      <p class="quiet">
        {parameter.cli !== null && <code>{parameter.cli}</code>}
        {parameter.http !== null && ` in the ${parameter.http}`}
      </p>
    </td>
  </tr>
);

const Parameters = ({ parameters }: Pick<Operation, 'parameters'>) =>
  parameters.length === 0 ? (
    <p class="quiet">It takes no parameters.</p>
  ) : (
    <table class="reference">
      <caption>Parameters</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map((parameter) => (
          <ParameterRow key={parameter.name} parameter={parameter} />
        ))}
      </tbody>
    </table>
  );

const Errors = ({ errors }: Pick<Operation, 'errors'>) => (
  <table class="reference">
    <caption>Errors</caption>
    <thead>
      <tr>
        <th scope="col">Code</th>
        <th scope="col" class="number">
          Status
        </th>
        <th scope="col" class="number">
          Exit
        </th>
        <th scope="col">Message</th>
      </tr>
    </thead>
    <tbody>
      {errors.map(({ code, status, exit, message, retryable }) => (
        <tr key={code}>
          <th scope="row">
            <code>{code}</code>
          </th>
          <td class="number">{status}</td>
          <td class="number">{exit}</td>
          <td class="wrap">
            {message}
            {retryable && <span class="quiet"> (worth trying again)</span>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The whole contract of an operation. */
export const OperationDetail = ({ operation }: { readonly operation: Operation }) => {
  const { id, summary, description, permission, execution, cli, http } = operation;
  return (
    <Panel
      title={id}
      testId="operation-detail"
      class="detail"
      header={
        <>
          <span class="grow" />
          {http.available && (
            <button type="button" data-testid="try-operation" onClick={() => showOperation(id)}>
              Try it
            </button>
          )}
        </>
      }
    >
      <ScrollArea>
        <p>{summary}.</p>
        {description?.split('\n\n').map((paragraph) => (
          <p key={paragraph} class="quiet">
            {paragraph}
          </p>
        ))}
        {cli && <pre>{cli.usage}</pre>}
        <dl>
          <dt>HTTP</dt>
          <dd class="whole">
            {http.available ? <code>{httpText(operation)}</code> : httpText(operation)}
          </dd>
          <dt>Permission</dt>
          <dd>{permission}</dd>
          <dt>Runs in</dt>
          <dd>
            {execution.place}
            {execution.streaming && ', streaming'}
          </dd>
          <dt>Daemon</dt>
          <dd>{needs[execution.daemon]}</dd>
        </dl>
        <Parameters parameters={operation.parameters} />
        {cli && cli.examples.length > 0 && (
          <>
            <h3>Examples</h3>
            <pre>{cli.examples.join('\n')}</pre>
          </>
        )}
        <Errors errors={operation.errors} />
      </ScrollArea>
    </Panel>
  );
};
