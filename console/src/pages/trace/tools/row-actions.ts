import { busCode, frameFlag } from '../../../../../src/frame/frm2-layout.ts';
import { formatHex, hexDigits } from '../../../../../src/frame/hex-bytes.ts';
import type { Channel, DatabaseMessage, DatabaseSignal } from '../../../api/client.ts';
import { chooseOfFile } from '../../../plot/file-signals.ts';
import { choiceLimit, choices, choose } from '../../../samples/signals-state.ts';
import { channels } from '../../../state/bench.ts';
import { goTo } from '../../../state/pages.ts';
import { type FrameRow, isGap } from '../../../trace-core/frame-row.ts';
import { idText } from '../../../trace-core/frame-text.ts';
import { isFileShown, recordedFrom } from '../../../trace-files/open-file.ts';
import { definitionOf, nameOf } from '../expansion.ts';
import { filterText } from '../trace-state.ts';

const isFrame = (row: FrameRow): boolean => !isGap(row) && (row.flags & frameFlag.error) === 0;

/** The channel of a row; of a file the one that it was recorded from. */
const openChannel = ({ channel }: FrameRow): Channel | undefined =>
  isFileShown.value
    ? recordedFrom.value[channel]
    : channels.data.value?.channels.find(({ slot }) => slot === channel);

interface PlottedMessage {
  readonly row: FrameRow;
  readonly database: string;
  readonly message: DatabaseMessage;
}

const history = 1024;

/** A message of each channel of the rows: of a file, or one for which the service decodes signals. */
export const plottedMessages = (rows: readonly FrameRow[]): readonly PlottedMessage[] => {
  const found = new Map<string, PlottedMessage>();
  for (const row of rows) {
    const message = definitionOf(row);
    const isDecoded = openChannel(row) !== undefined && row.bus !== busCode.lin;
    if (message === null || !(isFileShown.value || isDecoded)) continue;
    const database = nameOf(row)?.database ?? '';
    found.set(JSON.stringify([row.channel, database, message.name]), { row, database, message });
  }
  return [...found.values()];
};

const plotSignal = async (
  { row, database, message }: PlottedMessage,
  signal: DatabaseSignal,
  isOfFile: boolean,
): Promise<void> => {
  if (isOfFile) return chooseOfFile({ database, message, signal }, row.channel);
  const selector = openChannel(row)?.selector;
  if (selector === undefined) return;
  const origin = { channel: selector, selector, database, message: message.name, history };
  return choose(origin, signal.name);
};

export const plot = async (rows: readonly FrameRow[]): Promise<void> => {
  const isOfFile = isFileShown.peek();
  const messages = plottedMessages(rows);
  goTo('signals');
  for (const plotted of messages) {
    for (const signal of plotted.message.signals) {
      if (choices.peek().length >= choiceLimit) return;
      await plotSignal(plotted, signal, isOfFile);
    }
  }
};

/** Identifiers of rows as the filter takes them. */
export const identifiersOf = (rows: readonly FrameRow[]): readonly string[] => [
  ...new Set(rows.filter(isFrame).map(idText)),
];

export const filterFor = (rows: readonly FrameRow[]): void => {
  filterText.value = { ...filterText.peek(), id: identifiersOf(rows).join(', ') };
};

export const hide = (rows: readonly FrameRow[]): void => {
  const { id } = filterText.peek();
  const hidden = identifiersOf(rows).map((text) => `!${text}`);
  filterText.value = {
    ...filterText.peek(),
    id: [...(id.trim() === '' ? [] : [id]), ...hidden].join(', '),
  };
};

/** Whether the Send page can send a row again. */
export const isSendable = (row: FrameRow): boolean =>
  isFrame(row) && openChannel(row) !== undefined;

/** Opens the Send page with the frame of a row. */
export const openInSend = (row: FrameRow): void => {
  const { bus, id, flags, dlc, length } = row;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const isLin = bus === busCode.lin;
  const isRemote = has(frameFlag.remote);
  goTo('send', {
    channel: openChannel(row)?.selector ?? '',
    type: isLin ? 'master-write' : isRemote ? 'remote' : 'data',
    id: hexDigits(id, isLin ? 2 : has(frameFlag.extended) ? 8 : 3),
    ...(has(frameFlag.extended) ? { extended: 'true' } : {}),
    ...(has(frameFlag.fd) ? { fd: 'true' } : {}),
    ...(has(frameFlag.brs) ? { brs: 'true' } : {}),
    ...(isRemote ? { dlc: String(dlc) } : { data: formatHex(row.data, '', length) }),
  });
};
