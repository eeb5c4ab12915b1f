import { hexByte } from '../../../../src/frame/hex-bytes.ts';
import { counted, formatMicroseconds } from '../../format/figures.ts';
import { Notice } from '../../ui/notice.tsx';

/** What the answers of all named services have in common. */
export interface ServiceAnswer {
  readonly positive: boolean | null;
  readonly nrc: number | null;
  readonly nrc_name: string | null;
  readonly pending: number;
  readonly duration_us: number;
}

/** A negative response in words; null for any other. */
export const refusalText = ({ positive, nrc, nrc_name }: ServiceAnswer): string | null =>
  positive === false ? `Negative response: 0x${hexByte(nrc ?? 0)} ${nrc_name ?? ''}` : null;

export const timeText = ({ pending, duration_us }: ServiceAnswer): string =>
  [
    formatMicroseconds(duration_us),
    ...(pending > 0 ? [`${counted(pending, 'pending response')} before`] : []),
  ].join(', ');

interface AnswerNoticeProps {
  readonly answer: ServiceAnswer | null;
  /** Says what a positive response means. */
  readonly text: string;
  readonly testId: string;
}

export const AnswerNotice = ({ answer, text, testId }: AnswerNoticeProps) => {
  if (!answer) return null;
  const refusal = refusalText(answer);
  return (
    <Notice tone={refusal === null ? 'good' : 'warn'} testId={testId}>
      <p>
        {refusal ?? text} <span class="quiet">{timeText(answer)}</span>
      </p>
    </Notice>
  );
};
