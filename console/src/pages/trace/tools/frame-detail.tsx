import { signal, useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { busCode, frameFlag } from '../../../../../src/frame/frm2-layout.ts';
import { hexByte } from '../../../../../src/frame/hex-bytes.ts';
import type { DatabaseContent, DatabaseMessage } from '../../../api/client.ts';
import { type DecodedSignal, decodeMessage } from '../../../codec/decode-message.ts';
import { type BitIndex, bitsOf } from '../../../codec/signal-bits.ts';
import { counted, formatCount, formatInstant } from '../../../format/figures.ts';
import { plans } from '../../../state/bench.ts';
import { everyChannel } from '../../../trace-core/frame-chunk.ts';
import { type FrameRow, isDropped, isGap } from '../../../trace-core/frame-row.ts';
import { directionText, idText, kindText } from '../../../trace-core/frame-text.ts';
import { IdentifierIndex } from '../../../trace-core/message-names.ts';
import { isFileShown } from '../../../trace-files/open-file.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Panel, ScrollArea } from '../../../ui/panel.tsx';
import { PlainTable } from '../../../ui/plain-table.tsx';
import { setter } from '../../../ui/set-signal.ts';
import { checkTexts, faultMarks, markChanges } from '../fault-marks.ts';
import { lengthText } from '../frame-columns.ts';
import {
  channelName,
  gapText,
  isDetailOpen,
  messageName,
  nameSources,
  selected,
  shownCatalogs,
} from '../trace-state.ts';

const places = [7, 6, 5, 4, 3, 2, 1, 0];

interface BitGridProps {
  readonly data: Uint8Array;
  readonly marked: readonly BitIndex[];
}

const BitGrid = ({ data, marked }: BitGridProps) => {
  if (data.length === 0) return null;
  const isMarked = new Set(marked);
  return (
    <table class="bits" data-testid="trace-bits">
      <thead>
        <tr>
          {['Byte', 'Hex', ...places].map((title) => (
            <th key={title} scope="col" class={title === 'Byte' ? 'number' : ''}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from(data, (byte, index) => (
          <tr key={index}>
            <th scope="row" class="number">
              {index}
            </th>
            <td class="mono">{hexByte(byte)}</td>
            {places.map((place) => (
              <td
                key={place}
                class="mono"
                data-marked={isMarked.has(8 * index + place) ? '' : undefined}
              >
                {(byte >> place) & 1}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

interface Definition {
  readonly database: string;
  readonly message: DatabaseMessage;
}

const indexes = new WeakMap<DatabaseContent, IdentifierIndex<DatabaseMessage>>();

const indexOf = (content: DatabaseContent): IdentifierIndex<DatabaseMessage> => {
  const known = indexes.get(content);
  if (known) return known;
  const index = new IdentifierIndex<DatabaseMessage>();
  index.add(content.message_page, (message) => message);
  indexes.set(content, index);
  return index;
};

type Identified = Pick<FrameRow, 'channel' | 'bus' | 'id' | 'flags'>;

/**
 * Definitions of a frame. Databases attached to its channel come first, in order, then the plans on
 * it. Other databases apply to CAN only.
 */
export const definitionsOf = ({ channel, bus, id, flags }: Identified): readonly Definition[] => {
  const isFile = isFileShown.value;
  const planned = isFile
    ? []
    : (plans.data.value?.plans ?? []).filter((plan) => plan.slot === channel);
  const { attached: all = [] } = nameSources.value;
  const attached = all.find(({ slot }) => slot === channel)?.databases ?? [];
  const isLin = bus === busCode.lin;
  const found = [...shownCatalogs.value.values()].flatMap((content) => {
    const isFit = (content.type === 'ldf') === isLin;
    const message = isFit ? indexOf(content).find(id, flags) : undefined;
    return message ? [{ database: content.name, message }] : [];
  });
  const last = attached.length + 1;
  const rankOf = ({ database, message }: Definition): number => {
    if (attached.includes(database)) return attached.indexOf(database);
    const isPlanned = planned.some(
      (plan) => plan.database === database && plan.message === message.name,
    );
    return isPlanned ? attached.length : last;
  };
  return found
    .filter((definition) => !isLin || rankOf(definition) < last)
    .sort((a, b) => rankOf(a) - rankOf(b));
};

const chosenDatabase = signal<string | null>(null);

const FrameFacts = ({ row }: { readonly row: FrameRow }) => (
  <Facts
    of={[
      ['Time', formatInstant(row.timestampUs, 6)],
      ['Channel', channelName(row)],
      ['Type', kindText(row)],
      ['Direction', directionText(row)],
      !isDropped(row) && [isFileShown.value ? 'Row' : 'Event ID', formatCount(row.eventId)],
      !isDropped(row) && !isFileShown.value && ['Sequence', formatCount(row.sequence)],
      ['DLC', lengthText(row)],
      row.bus === busCode.lin
        ? ['Checksum', hexByte(row.checksum)]
        : ['Status', isDropped(row) ? 'not sent' : row.status === 0 ? 'OK' : row.status],
    ]}
  />
);

const Faults = ({ row }: { readonly row: FrameRow }) => {
  void markChanges.value;
  return (
    <>
      {faultMarks(row).map(({ instance, rule, kind, effect, task }) => (
        <p key={`${instance} ${rule}`} data-tone="warn" data-testid="trace-fault">
          ▲ {effect}: {kind} by rule{' '}
          <a href={`#faults?${new URLSearchParams({ instance })}`}>{rule}</a> of {instance}, task{' '}
          {task}
        </p>
      ))}
      {checkTexts(row).map((text) => (
        <p key={text} data-tone="warn" data-testid="trace-check">
          {text}
        </p>
      ))}
    </>
  );
};

const SignalValue = ({ state, value, label, raw }: DecodedSignal) => {
  if (state === 'short') return <span class="quiet">frame too short</span>;
  return (
    <span title={value ?? raw}>
      {label ?? value ?? raw}{' '}
      {label !== null && value !== raw && <span class="quiet">{value}</span>}
    </span>
  );
};

interface SignalLinesProps {
  readonly signals: readonly DecodedSignal[];
  readonly marked: string | null;
  readonly onMark: (name: string | null) => void;
}

export const SignalLines = ({ signals, marked, onMark }: SignalLinesProps) => {
  const shown = signals.filter(({ state }) => state !== 'inactive');
  const inactive = signals.length - shown.length;
  return (
    <>
      <PlainTable
        class="signals"
        testId="trace-signals"
        hasRowHeads
        rows={shown}
        keyOf={({ signal }) => signal.name}
        rowAttributes={({ signal: { name } }) => ({
          'data-signal': name,
          'data-marked': name === marked ? '' : undefined,
          onPointerEnter: () => onMark(name),
          onPointerLeave: () => onMark(null),
        })}
        columns={[
          [
            'Signal',
            ({ signal: { name, comment } }) => (
              <button
                type="button"
                class="plain"
                title={comment ?? name}
                onFocus={() => onMark(name)}
                onBlur={() => onMark(null)}
              >
                {name}
              </button>
            ),
          ],
          ['Value', (signal) => <SignalValue {...signal} />, 'number'],
          ['Unit', ({ unit }) => unit],
          ['Raw', ({ raw }) => <span title={raw}>{raw}</span>, 'number mono'],
        ]}
      />
      {inactive > 0 && (
        <p class="quiet">{counted(inactive, 'multiplexed signal')} inactive in this frame.</p>
      )}
    </>
  );
};

const Contents = ({ row }: { readonly row: FrameRow }) => {
  const marked = useSignal<string | null>(null);
  const definitions = definitionsOf(row);
  const definition =
    definitions.find(({ database }) => database === chosenDatabase.value) ?? definitions[0];
  const isData = (row.flags & (frameFlag.remote | frameFlag.error)) === 0;
  const message = isData ? definition?.message : undefined;
  const signals = useMemo(() => (message ? decodeMessage(message, row.data) : []), [message, row]);
  const markedSignal = signals.find(({ signal: { name } }) => name === marked.value)?.signal;
  return (
    <ScrollArea>
      <FrameFacts row={row} />
      <Faults row={row} />
      {definition ? (
        <h3>
          {definition.message.name}{' '}
          {definitions.length > 1 ? (
            <select
              aria-label="Database"
              value={definition.database}
              onChange={(event) => {
                chosenDatabase.value = event.currentTarget.value;
              }}
            >
              {definitions.map(({ database }) => (
                <option key={database} value={database}>
                  {database}
                </option>
              ))}
            </select>
          ) : (
            <span class="quiet">in {definition.database}</span>
          )}
        </h3>
      ) : (
        <p class="quiet">No database of this channel defines this ID.</p>
      )}
      {signals.length > 0 && (
        <SignalLines signals={signals} marked={marked.value} onMark={setter(marked)} />
      )}
      <BitGrid data={row.data} marked={markedSignal ? bitsOf(markedSignal) : []} />
    </ScrollArea>
  );
};

const close = (): void => {
  isDetailOpen.value = false;
  document.querySelector<HTMLElement>('[data-testid="trace-table"]')?.focus();
};

const gapCause = (row: FrameRow): string => {
  if (isFileShown.value) return '';
  return row.channel === everyChannel
    ? 'The service overwrote them before the console could read them.'
    : `The sequence number of ${channelName(row)} jumps here, but the service reported no gap.`;
};

export const FrameDetail = () => {
  const title = useComputed(() => {
    const row = selected.value;
    if (!row) return 'Frame';
    if (isGap(row)) return 'Gap';
    const name = messageName(row);
    return name === null ? idText(row) : `${idText(row)} ${name}`;
  });
  const row = selected.value;
  if (!row || !isDetailOpen.value) return null;
  return (
    <Panel
      title={title.value}
      class="detail"
      testId="trace-detail"
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
      actions={
        <button type="button" title="Escape" onClick={close}>
          Close
        </button>
      }
    >
      {isGap(row) ? (
        <p class="scroll">
          {gapText(row)}. {gapCause(row)}
        </p>
      ) : (
        <Contents row={row} />
      )}
    </Panel>
  );
};
