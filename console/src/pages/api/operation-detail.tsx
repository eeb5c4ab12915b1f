import type { ComponentChildren } from 'preact';
import type { Operation } from '../../api/client.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { showOperation } from './api-commands.ts';
import { httpText } from './api-operations.ts';
import { allowedText } from './body-template.ts';

const needs: Readonly<Record<Operation['execution']['daemon'], string>> = {
  none: 'not used',
  optional: 'optional',
  required: 'required',
  start: 'started if not running',
};

interface OperationTextProps {
  readonly summary: string;
  readonly description: string | null | undefined;
  readonly children?: ComponentChildren;
}

export const OperationText = ({ summary, description, children }: OperationTextProps) => (
  <>
    <p>
      {summary}. {children}
    </p>
    {description?.split('\n\n').map((paragraph) => (
      <p key={paragraph} class="quiet">
        {paragraph}
      </p>
    ))}
  </>
);

interface FieldTypeProps {
  readonly type: string;
  readonly isRequired: boolean;
}

export const FieldType = ({ type, isRequired }: FieldTypeProps) => (
  <>
    {type}
    {isRequired && <p class="quiet">required</p>}
  </>
);

const Parameters = ({ parameters }: Pick<Operation, 'parameters'>) =>
  parameters.length === 0 ? (
    <p class="quiet">No parameters.</p>
  ) : (
    <PlainTable
      class="reference"
      caption="Parameters"
      hasRowHeads
      rows={parameters}
      keyOf={({ name }) => name}
      columns={[
        ['Name', ({ name }) => <code>{name}</code>],
        ['Type', ({ type, required }) => <FieldType type={type} isRequired={required} />],
        [
          'Description',
          ({ description, schema, cli, http }) => (
            <>
              {description} <span class="quiet">{allowedText(schema, {})}</span>
              <p class="quiet">
                {cli !== null && <code>{cli}</code>}
                {http !== null && ` in the ${http}`}
              </p>
            </>
          ),
          'wrap',
        ],
      ]}
    />
  );

const Errors = ({ errors }: Pick<Operation, 'errors'>) => (
  <PlainTable
    class="reference"
    caption="Errors"
    hasRowHeads
    rows={errors}
    keyOf={({ code }) => code}
    columns={[
      ['Code', ({ code }) => <code>{code}</code>],
      ['Status', ({ status }) => status, 'number'],
      ['Exit', ({ exit }) => exit, 'number'],
      [
        'Message',
        ({ message, retryable }) => (
          <>
            {message}
            {retryable && <span class="quiet"> (retryable)</span>}
          </>
        ),
        'wrap',
      ],
    ]}
  />
);

export const OperationDetail = ({ operation }: { readonly operation: Operation }) => {
  const { id, summary, description, permission, execution, cli, http } = operation;
  return (
    <Panel
      title={id}
      testId="operation-detail"
      class="detail"
      actions={
        http.available && (
          <button type="button" data-testid="try-operation" onClick={() => showOperation(id)}>
            Try it
          </button>
        )
      }
    >
      <ScrollArea>
        <OperationText summary={summary} description={description} />
        {cli && <pre>{cli.usage}</pre>}
        <Facts
          of={[
            [
              'HTTP',
              http.available ? <code>{httpText(operation)}</code> : httpText(operation),
              { whole: true },
            ],
            ['Permission', permission],
            ['Runs in', `${execution.place}${execution.streaming ? ', streaming' : ''}`],
            ['Daemon', needs[execution.daemon]],
          ]}
        />
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
