import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/api-error.ts';
import { nextStep } from '../api/next-step.ts';

type Tone = 'idle' | 'good' | 'ask' | 'warn' | 'bad';

interface NoticeProps {
  readonly tone?: Tone;
  readonly testId?: string;
  readonly children: ComponentChildren;
}

export const Notice = ({ tone = 'idle', testId, children }: NoticeProps) => (
  <div class="notice" data-tone={tone} data-testid={testId} role="status">
    {children}
  </div>
);

interface ErrorNoticeProps {
  readonly error: ApiError | null;
  readonly subject?: string;
  readonly tone?: Tone;
  readonly testId?: string;
}

/** Error of a request, shown in place of its result: code, message and advice. */
export const ErrorNotice = ({ error, subject, tone = 'bad', testId }: ErrorNoticeProps) =>
  error && (
    <Notice tone={tone} {...(testId === undefined ? {} : { testId })}>
      <p>
        {subject !== undefined && <strong>{subject} </strong>}
        <code>{error.code}</code> {error.message}
      </p>
      <p>{nextStep(error)}</p>
    </Notice>
  );
