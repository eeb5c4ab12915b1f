import { useSignal } from '@preact/signals';
import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import { formatCount, formatTime } from '../../format/figures.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { unusableWhile } from '../../ui/unusable.ts';
import { editAgain, resendForm, sendAgain } from './send-actions.ts';
import { forgetSent, type SentFrame, sentHistory } from './sent-history.ts';

const idText = ({ request: { id, extended, type } }: SentFrame): string => {
  // A text is hex already.
  if (typeof id !== 'number') return id ?? '';
  const isLin = type?.startsWith('master-');
  return hexDigits(id, isLin ? 2 : extended ? 8 : 3);
};

const columns: readonly Column<SentFrame>[] = [
  { id: 'time', title: 'Time', width: 80, text: ({ at }) => formatTime(new Date(at)) },
  {
    id: 'channel',
    title: 'Channel',
    width: 100,
    text: ({ request }) => request.channel,
  },
  {
    id: 'type',
    title: 'Type',
    width: 104,
    spare: 1,
    text: ({ request }) => request.type ?? 'data',
  },
  { id: 'id', title: 'Id', width: 76, mono: true, text: idText },
  {
    id: 'data',
    title: 'Data',
    width: 104,
    least: 72,
    grows: true,
    mono: true,
    text: ({ request }) => request.data ?? '',
  },
  {
    id: 'accepted',
    title: 'Count',
    width: 58,
    align: 'end',
    text: ({ accepted }) => formatCount(accepted),
  },
  {
    id: 'again',
    title: '',
    width: 108,
    align: 'end',
    text: () => '',
    render: (frame) => (
      <button
        type="button"
        class="inline"
        {...unusableWhile(resendForm.isBusy.value)}
        aria-label={`Send ${idText(frame)} on ${frame.request.channel} again`}
        onClick={(event) => {
          event.stopPropagation();
          void sendAgain(frame);
        }}
      >
        Send again
      </button>
    ),
  },
];

/** The last frames that were sent from here. */
export const SentPanel = () => {
  const frames = sentHistory.value;
  const edited = useSignal<number | null>(null);
  return (
    <Panel
      title="Sent"
      testId="sent"
      header={
        <>
          <span class="aside">A click puts a frame back into the form</span>
          <span class="grow" />
          <button type="button" {...unusableWhile(frames.length === 0)} onClick={forgetSent}>
            Clear
          </button>
        </>
      }
    >
      <ErrorNotice error={resendForm.error.value} testId="sent-error" />
      <DataTable
        id="sent"
        label="Sent frames"
        columns={columns}
        count={frames.length}
        rowAt={(index) => frames[index] as SentFrame}
        keyOf={({ at }) => at}
        selected={({ at }) => at === edited.value}
        onSelect={(frame) => {
          edited.value = frame.at;
          editAgain(frame);
        }}
        empty="Frames that you send appear here, ready to be sent again."
        testId="sent-table"
      />
    </Panel>
  );
};
