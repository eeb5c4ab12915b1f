import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { busCode, frameFlag } from '../../../../../src/frame/frm2-layout.ts';
import { hexDigits, parseHex } from '../../../../../src/frame/hex-bytes.ts';
import type { Pdu } from '../../../api/client.ts';
import { decodeMessage } from '../../../codec/decode-message.ts';
import {
  counted,
  formatCount,
  formatInstant,
  formatMicroseconds,
} from '../../../format/figures.ts';
import { isServed } from '../../../state/connection.ts';
import { isShown } from '../../../state/pages.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../../ui/panel.tsx';
import { PlainTable } from '../../../ui/plain-table.tsx';
import { StateMark } from '../../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../../ui/table-columns.ts';
import { followPdus, missedPdus, pduError, pduState, pdus } from '../pdu-state.ts';
import { channelName, isPaused, pduId, pduName } from '../trace-state.ts';
import { definitionsOf, SignalLines } from './frame-detail.tsx';

const channelOf = ({ channel, timestamp_us }: Pdu): string =>
  channelName({ channel, timestampUs: timestamp_us });

const hex = (value: number | null, digits: number): string =>
  value === null ? '–' : hexDigits(value, digits);

const pgnText = ({ pgn }: Pdu): string => hex(pgn, 4);
const sourceText = ({ source }: Pdu): string => hex(source, 2);
const destinationText = ({ destination }: Pdu): string =>
  destination === 0xff ? 'all' : hex(destination, 2);

const statusText = ({ status }: Pdu): string => status.replaceAll('_', ' ');

const StatusMark = ({ pdu }: { readonly pdu: Pdu }) => (
  <StateMark
    state={pdu.status === 'complete' ? 'ok' : pdu.status === 'open' ? 'idle' : 'failed'}
    label={statusText(pdu)}
  />
);

const protocols: Readonly<Record<Pdu['protocol'], string>> = {
  j1939: 'J1939',
  isotp: 'ISO-TP',
  lin: 'LIN',
};

/** `7E8`, and `6F1 12` with an address in the data. */
const idText = ({ protocol, id, extended, address }: Pdu): string => {
  if (id === null) return '–';
  const name = hexDigits(id, protocol === 'lin' ? 2 : extended ? 8 : 3);
  return address === null ? name : `${name} ${hexDigits(address, 2)}`;
};

const fromText = (pdu: Pdu): string => (pdu.id === null ? pgnText(pdu) : idText(pdu));
const nameText = (pdu: Pdu): string => pdu.words ?? pduName(pdu);

const spaced = (data: string): string => data.replaceAll(/(..)(?=.)/g, '$1 ');

/** Only a complete PDU has data. */
const dataText = ({ status, data }: Pdu): string =>
  status === 'complete' ? spaced(data.slice(0, 256)) : '–';

const columns: readonly Column<Pdu>[] = [
  column('time', 'Time', 140, ({ timestamp_us }) => formatInstant(timestamp_us, 6), {
    ...{ align: 'end', mono: true },
  }),
  column('channel', 'Channel', 120, channelOf, { least: 84 }),
  column('protocol', 'Protocol', 76, ({ protocol }) => protocols[protocol], { spare: 0 }),
  column('pgn', 'PGN / ID', 76, fromText, { align: 'end', mono: true }),
  column('name', 'Name', 124, nameText, { least: 72, grows: true }),
  column('source', 'Source', 68, sourceText, { align: 'end', mono: true, spare: -3 }),
  column('destination', 'Dest', 60, destinationText, { align: 'end', mono: true, spare: -2 }),
  column('status', 'Status', 108, statusText, { render: (pdu) => <StatusMark pdu={pdu} /> }),
  numbers('frames', 'Frames', 68, ({ frames }) => frames, { spare: 1 }),
  numbers('length', 'Length', 68, ({ length }) => length, { spare: -1 }),
  column('data', 'Data', 240, dataText, { least: 76, grows: true, mono: true }),
];

const Diagnostics = ({ of }: { readonly of: NonNullable<Pdu['diagnostics']> }) => {
  const { lamps, dtcs } = of;
  return (
    <>
      <h3>Diagnostics</h3>
      <Facts
        testId="pdu-lamps"
        of={[
          ['Malfunction', lamps.malfunction.replaceAll('_', ' ')],
          ['Red stop', lamps.red_stop.replaceAll('_', ' ')],
          ['Amber warning', lamps.amber_warning.replaceAll('_', ' ')],
          ['Protect', lamps.protect.replaceAll('_', ' ')],
        ]}
      />
      {dtcs.length === 0 ? (
        <p class="quiet">No DTCs.</p>
      ) : (
        <PlainTable
          testId="pdu-dtcs"
          rows={dtcs}
          keyOf={(_, index) => index}
          columns={[
            ['SPN', ({ spn }) => spn, 'number'],
            ['FMI', ({ fmi }) => fmi, 'number'],
            ['Count', ({ count }) => count ?? '–', 'number'],
          ]}
        />
      )}
    </>
  );
};

const bytesOf = ({ data }: Pdu): Uint8Array =>
  parseHex(data, { field: 'data', maxLength: data.length });

const Signals = ({ pdu }: { readonly pdu: Pdu }) => {
  const id = pduId(pdu);
  const frame = { channel: pdu.channel, bus: busCode.can, flags: frameFlag.extended };
  const message =
    id === null || pdu.status !== 'complete'
      ? undefined
      : definitionsOf({ ...frame, id })[0]?.message;
  const signals = useMemo(
    () => (message ? decodeMessage(message, bytesOf(pdu)) : []),
    [message, pdu],
  );
  if (!message) return null;
  return (
    <>
      <h3>{message.name}</h3>
      <SignalLines signals={signals} marked={null} onMark={() => {}} />
    </>
  );
};

const j1939Facts = (pdu: Pdu) =>
  [
    ['PGN', pdu.pgn === null ? '–' : `${pgnText(pdu)} (${pdu.pgn})`],
    ['Priority', pdu.priority ?? '–'],
    ['Source', sourceText(pdu)],
    ['Destination', destinationText(pdu)],
  ] as const;

const Detail = ({ pdu, onClose }: { readonly pdu: Pdu; readonly onClose: () => void }) => (
  <Panel
    title={pduName(pdu) || `PDU ${pdu.sequence}`}
    class="detail"
    testId="pdu-detail"
    actions={
      <button type="button" onClick={onClose}>
        Close
      </button>
    }
  >
    <ScrollArea>
      <Facts
        of={[
          ['Time', formatInstant(pdu.timestamp_us, 6), { whole: true }],
          ['Channel', channelOf(pdu)],
          ['Status', <StatusMark pdu={pdu} />],
          ...(pdu.protocol === 'j1939' ? j1939Facts(pdu) : [['ID', idText(pdu)] as const]),
          ['Frames', formatCount(pdu.frames)],
          ['Duration', formatMicroseconds(pdu.duration_us)],
          [
            'Events',
            `${formatCount(pdu.first_event_id)} … ${formatCount(pdu.last_event_id)}`,
            { whole: true },
          ],
          pdu.acknowledged !== null && ['Acknowledged', pdu.acknowledged ? 'yes' : 'no'],
        ]}
      />
      {pdu.words !== null && <p>{pdu.words}</p>}
      {pdu.findings.map(({ code, event_id }) => (
        <p key={`${code} ${event_id}`} data-tone="warn">
          ▲ {code.replaceAll('_', ' ')} in event {formatCount(event_id)}
        </p>
      ))}
      {pdu.diagnostics && <Diagnostics of={pdu.diagnostics} />}
      <Signals pdu={pdu} />
      <h3>Data</h3>
      {pdu.status === 'complete' ? (
        <p class="mono pdu-data">
          {spaced(pdu.data)}
          {pdu.data_omitted > 0 && ` … ${counted(pdu.data_omitted, 'more byte')}`}
        </p>
      ) : (
        <p class="quiet">The transfer is not complete, so it has no data.</p>
      )}
    </ScrollArea>
  </Panel>
);

/** Payloads that are reassembled from frames, oldest first. */
export const PduView = () => {
  const isSeen = isShown('trace') && isServed.value;
  useEffect(() => (isSeen ? followPdus() : undefined), [isSeen]);
  const chosen = useSignal<Pdu | null>(null);
  const isAtEnd = useSignal(true);
  const isHeld = isPaused.value;
  const held = useMemo(() => (isHeld ? pdus.peek() : null), [isHeld]);
  const rows = held ?? pdus.value;
  return (
    <div class="stage" data-detail={chosen.value ? '' : undefined}>
      <div class="pdus" data-state={pduState.value}>
        <ErrorNotice error={pduError.value} testId="pdu-error" />
        {missedPdus.value > 0 && (
          <p data-tone="warn">▲ {counted(missedPdus.value, 'PDU')} missed</p>
        )}
        <DataTable<Pdu>
          id="pdus"
          label="Reassembled payloads"
          columns={columns}
          rows={rows}
          keyOf={({ sequence }) => sequence}
          selected={({ sequence }) => sequence === chosen.value?.sequence}
          onSelect={(pdu) => {
            chosen.value = pdu.sequence === chosen.peek()?.sequence ? null : pdu;
          }}
          rowAttributes={(pdu) => ({
            'data-pgn': pgnText(pdu),
            'data-id': idText(pdu),
            'data-status': pdu.status,
          })}
          followsEnd={isAtEnd.value && !isHeld && chosen.value === null}
          onFollow={(follows) => {
            isAtEnd.value = follows;
          }}
          empty={
            <p>
              No payloads yet. J1939 transfers and ISO-TP messages on open channels appear here.
            </p>
          }
        />
      </div>
      {chosen.value && (
        <Detail
          pdu={chosen.value}
          onClose={() => {
            chosen.value = null;
          }}
        />
      )}
    </div>
  );
};
