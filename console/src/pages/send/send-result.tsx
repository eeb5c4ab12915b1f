import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import type { LinResponse } from '../../api/schema.ts';
import { counted, formatInstant } from '../../format/figures.ts';
import { Notice } from '../../ui/notice.tsx';
import { result } from './send-state.ts';

const spaced = (data: string): string => data.replaceAll(/(..)(?=.)/g, '$1 ');

const Response = ({ response }: { readonly response: LinResponse }) => (
  <dl data-testid="lin-response">
    <dt>Identifier</dt>
    <dd class="mono">0x{hexDigits(response.id, 2)}</dd>
    <dt>Data</dt>
    <dd class="mono">{spaced(response.data)}</dd>
    <dt>Checksum</dt>
    <dd class="mono">
      {hexDigits(response.checksum, 2)} {response.checksum_model}
    </dd>
    <dt>Time</dt>
    <dd>{formatInstant(response.timestamp_us)}</dd>
  </dl>
);

/** What the last send came to. */
export const SendOutcome = () => {
  if (!result.value) return null;
  const { at, answer } = result.value;
  const { accepted, channel, resolved, slot, response } = answer;
  const frames = counted(accepted, 'frame');
  return (
    <Notice tone="good" testId="send-result">
      <p>
        {frames} accepted on {channel}
        {resolved !== null && ` (${resolved})`}, slot {slot}, at{' '}
        {formatInstant(at.getTime() * 1000)}
      </p>
      {response && <Response response={response} />}
    </Notice>
  );
};
