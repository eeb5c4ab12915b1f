import { hexByte } from '../frame/hex-bytes.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import type { SendRecord } from '../transmit/send-record.ts';
import type { CliContext, DaemonCommand } from './context.ts';
import { callDaemon } from './daemon-commands.ts';
import { filledValues } from './filled-values.ts';

const signalText = ({
  signal,
  value,
  raw,
  unit,
  label,
}: NonNullable<SendRecord['signals']>[number]) =>
  `${signal}=${value ?? raw}${unit === '' ? '' : ` ${unit}`}${label === null ? '' : ` (${label})`}`;

/** The frame of a message by name, and its signals as encoded. */
const namedText = ({ message, frame = '', signals = [] }: SendRecord): string => {
  if (message === undefined) return '';
  const lines = [`${message} ${frame}`.trimEnd(), ...signals.map((one) => `  ${signalText(one)}`)];
  return `${lines.join('\n')}\n`;
};

const sendText = (record: SendRecord): string => {
  const { accepted, channel, slot, resolved, response } = record;
  const frames = `${accepted} ${accepted === 1 ? 'frame' : 'frames'}`;
  const port = resolved === null ? '' : `${resolved}, `;
  const answer = response
    ? `, response ${hexByte(response.id)}#${response.data} with ${response.checksum_model} checksum ${hexByte(response.checksum)}`
    : '';
  return `accepted ${frames} on ${channel} (${port}slot ${slot})${answer}\n${namedText(record)}`;
};

type Values = Readonly<Record<string, unknown>>;

const resultOf = async (
  command: CliCommand,
  values: Values,
  context: CliContext,
): Promise<unknown> => {
  if (values.file !== undefined) {
    return (await import('./send-list.ts')).sendList(command, values, context);
  }
  const isBatch = Number(filledValues(command, values).count) > 1;
  const run = isBatch ? (await import('./send-batch.ts')).sendBatch : callDaemon;
  const outcome = await run(command, values, context);
  return 'result' in outcome ? outcome.result : undefined;
};

export const send: DaemonCommand = async (command, values, context) => {
  const result = await resultOf(command, values, context);
  return { result, text: sendText(result as SendRecord) };
};
