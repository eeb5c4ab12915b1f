import type { SendRecord } from '../../transmit/send-record.ts';

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');

/** What became of a send, in a line. */
export const sendText = ({ accepted, channel, slot, resolved, response }: SendRecord): string => {
  const frames = `${accepted} ${accepted === 1 ? 'frame' : 'frames'}`;
  const port = resolved === null ? '' : `${resolved}, `;
  const answer = response
    ? `, response ${hex(response.id)}#${response.data} with ${response.checksum_model} checksum ${hex(response.checksum)}`
    : '';
  return `accepted ${frames} on ${channel} (${port}slot ${slot})${answer}\n`;
};
