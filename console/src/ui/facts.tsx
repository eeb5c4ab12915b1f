import { type ComponentChildren, Fragment } from 'preact';

interface FactOptions {
  readonly whole?: boolean;
  readonly alarm?: boolean;
  readonly mono?: boolean;
  readonly testId?: string;
}

export type Fact =
  | readonly [name: string, value: ComponentChildren, options?: FactOptions]
  | false
  | null
  | undefined;

export const Facts = ({
  of,
  testId,
}: {
  readonly of: readonly Fact[];
  readonly testId?: string;
}) => (
  <dl data-testid={testId}>
    {of
      .filter((fact) => !!fact)
      .map(([name, value, { whole, alarm, mono, testId: id } = {}]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd
            class={`${whole ? 'whole' : ''} ${mono ? 'mono' : ''}`}
            data-tone={alarm ? 'warn' : undefined}
            data-testid={id}
          >
            {alarm && <span aria-hidden="true">▲ </span>}
            {value}
          </dd>
        </Fragment>
      ))}
  </dl>
);
