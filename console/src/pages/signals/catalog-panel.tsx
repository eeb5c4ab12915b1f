import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Channel } from '../../api/client.ts';
import { chooseOfFile, fileBuses } from '../../plot/file-signals.ts';
import {
  type ChannelPlace,
  choiceKey,
  fileSlotOf,
  type SignalChoice,
} from '../../samples/signal-choices.ts';
import {
  choiceLimit,
  choices,
  choose,
  chooseError,
  dismiss,
  knownPlans,
} from '../../samples/signals-state.ts';
import { catalogs, channels, databases } from '../../state/bench.ts';
import { fileCatalogs, fileStatus } from '../../trace-files/open-file.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { setter, setting } from '../../ui/set-signal.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { type SignalRow, type TreeRow, treeRows } from './catalog-tree.ts';
import { openAtFirst, SignalTree } from './signal-tree.tsx';

interface ChannelQuestionProps {
  readonly row: SignalRow;
  readonly channels: readonly Channel[];
  readonly onChoose: (channel: Channel) => void;
  readonly onCancel: () => void;
}

const ChannelQuestion = ({ row, channels, onChoose, onCancel }: ChannelQuestionProps) => {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.querySelector('button')?.focus(), [row]);
  const { message, signal } = row;
  return (
    <Notice tone="ask" testId="channel-question">
      <p>
        {message.name} is not decoded yet.{' '}
        {channels.length > 0
          ? `Select the channel of ${signal.name}.`
          : 'Open a CAN channel on the Channels page first.'}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it have the focus */}
      <div
        class="actions"
        ref={list}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onCancel();
        }}
      >
        {channels.map((channel) => (
          <button
            key={channel.selector}
            type="button"
            title={channel.selector}
            onClick={() => onChoose(channel)}
          >
            {channel.name ?? channel.selector}
          </button>
        ))}
        <button type="button" class="link" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </Notice>
  );
};

/** Channel choice that reuses the plan of a message on any channel. */
const asPlanned = '';
const maxHistory = 65_536;

const isOf = (choice: SignalChoice, row: TreeRow, selector: string): boolean =>
  row.kind === 'signal' &&
  choice.database === row.database &&
  choice.message === row.message.name &&
  choice.signal === row.signal.name &&
  (selector === asPlanned || choice.selector === selector);

const plansOf = (row: TreeRow) =>
  row.kind === 'database'
    ? []
    : (knownPlans.value ?? []).filter(
        (plan) => plan.database === row.database && plan.message === row.message.name,
      );

const historyError = (text: string): string | null =>
  /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= maxHistory
    ? null
    : `Must be 1 to ${maxHistory} samples`;

const portOf = ({ selector }: Channel): ChannelPlace => ({ selector, channel: selector });

export const CatalogPanel = () => {
  const content = useResource(catalogs);
  const { data: opened } = useResource(channels, 'signals');
  const { data: loaded } = useResource(databases, 'signals');
  const channel = useSignal(asPlanned);
  const history = useSignal('1024');
  const query = useSignal('');
  const open = useSignal<ReadonlySet<string> | null>(null);
  const unplaced = useSignal<SignalRow | null>(null);

  const isGone =
    fileSlotOf({ selector: channel.value }) !== null &&
    !fileBuses.value.some(({ selector }) => selector === channel.value);
  if (isGone) channel.value = asPlanned;

  const names = loaded.value?.databases.map(({ name, loaded_at_us }) => `${name} ${loaded_at_us}`);
  const signature = names?.join('\n') ?? '';
  useEffect(() => {
    if (signature !== '') void catalogs.refresh();
  }, [signature]);

  const all = [...((fileStatus.value ? fileCatalogs : content.data).value?.values() ?? [])];
  const unfolded = open.value ?? openAtFirst(all.map(({ name }) => name));
  const rows = treeRows(all, { open: unfolded, query: query.value });
  const buses = (opened.value?.channels ?? []).filter(({ bus }) => bus !== 'lin');

  const chooseOn = (row: SignalRow, { selector, channel: named }: ChannelPlace): void => {
    unplaced.value = null;
    const origin = {
      channel: named,
      selector,
      database: row.database,
      message: row.message.name,
      history: Number(history.peek()),
    };
    void choose(origin, row.signal.name);
  };
  const toggle = (row: TreeRow): void => {
    unplaced.value = null;
    if (row.kind !== 'signal') return;
    const there = choices.peek().filter((choice) => isOf(choice, row, channel.peek()));
    if (there.length > 0) {
      for (const choice of there) dismiss(choiceKey(choice));
      return;
    }
    if (choices.peek().length >= choiceLimit || historyError(history.peek())) return;
    const slot = fileSlotOf({ selector: channel.peek() });
    if (slot !== null) {
      void chooseOfFile(row, slot);
      return;
    }
    const only = buses.length === 1 ? buses.map(portOf)[0] : undefined;
    const place =
      channel.peek() === asPlanned
        ? (plansOf(row)[0] ?? only)
        : buses.map(portOf).find(({ selector }) => selector === channel.peek());
    if (place) chooseOn(row, place);
    else unplaced.value = row;
  };
  const asked = unplaced.value;
  const fold = (key: string, isOpen: boolean): void => {
    const next = new Set(unfolded);
    if (isOpen) next.add(key);
    else next.delete(key);
    open.value = next;
  };

  return (
    <Panel title="Catalog" testId="catalog" class="catalog" freshness={freshness(content)}>
      <div class="catalog-fields">
        <SelectField
          label="Channel"
          value={channel.value}
          testId="signal-channel"
          choices={[
            { value: asPlanned, label: 'Default channel' },
            ...buses.map(({ selector, name }) => ({ value: selector, label: name ?? selector })),
            ...fileBuses.value.map(({ selector, channel: label }) => ({ value: selector, label })),
          ]}
          onChange={(value) => {
            channel.value = value;
            if (asked) toggle(asked);
          }}
        />
        <TextField
          label="History"
          value={history.value}
          error={historyError(history.value)}
          testId="signal-history"
          onInput={setter(history)}
        />
        <TextField
          label="Search"
          value={query.value}
          placeholder="Message, signal, unit or ID"
          testId="signal-search"
          onInput={setter(query)}
        />
      </div>
      {asked && (
        <ChannelQuestion
          row={asked}
          channels={buses}
          onChoose={(chosen) => chooseOn(asked, portOf(chosen))}
          onCancel={setting(unplaced, null)}
        />
      )}
      <ErrorNotice error={chooseError.value} testId="signals-refusal" />
      <ErrorNotice error={content.error.value} tone="warn" />
      {choices.value.length >= choiceLimit && (
        <p class="empty">All {choiceLimit} signals are in use. Remove one first.</p>
      )}
      {rows.length > 0 ? (
        <SignalTree
          rows={rows}
          isChosen={(row) => choices.value.some((choice) => isOf(choice, row, channel.value))}
          noteOn={(row) => (plansOf(row).length > 0 ? '●' : '')}
          onToggle={toggle}
          onFold={fold}
        />
      ) : (
        <div class="empty" data-testid="catalog-empty">
          {query.value !== '' ? (
            <p>No matches.</p>
          ) : (
            content.data.value !== null && (
              <p>
                No databases. Load one on the <a href="#files">Files</a> page, or with{' '}
                <code>busbar database load vehicle.dbc</code>.
              </p>
            )
          )}
        </div>
      )}
    </Panel>
  );
};
