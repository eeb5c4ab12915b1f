import { useSignal } from '@preact/signals';
import type { Channel } from '../../api/client.ts';
import { ChannelField } from '../../forms/channel-field.tsx';
import { sourceProblems } from '../../forms/channel-selectors.ts';
import { idOf } from '../../forms/number-text.ts';
import { requestForm } from '../../forms/request-form.ts';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { unusableWhile } from '../../ui/unusable.ts';
import { withId, withWidth } from './frame-draft.ts';
import { sources } from './send-state.ts';
import { routes } from './transmit-resources.ts';

const form = requestForm('route.add');

const isCan = ({ bus }: Channel): boolean => bus !== 'lin';

const empty = { from: '', id: '', mask: '', extended: false, to: '', as: '' };

const visible = [
  'source.channel',
  'source.id',
  'source.mask',
  'source.extended',
  'target.channel',
  'target.id',
];

/** What to pass on, and where to. */
export const RouteForm = () => {
  const draft = useSignal(empty);
  const change = (part: Partial<typeof empty>, field: string): void => {
    draft.value = { ...draft.value, ...part };
    form.touch(field);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { from, id, mask, extended, to, as } = draft.value;
    const added = await form.submit({
      body: {
        source: { channel: from, id: idOf(id), mask: idOf(mask), extended },
        // As it was typed: the service compares its width with the one of the source.
        target: { channel: to, id: as.trim() || undefined },
      },
      visible,
      problems: [
        ...sourceProblems('source.channel', from, sources.value),
        ...sourceProblems('target.channel', to, sources.value),
      ],
    });
    if (added) await routes.refresh();
  };
  const { from, id, mask, extended, to, as } = draft.value;
  return (
    <form class="route-form" noValidate onSubmit={submit} data-testid="route-form">
      <div class="fields">
        <ChannelField
          label="From"
          value={from}
          sources={sources.value}
          suits={isCan}
          onChange={(value) => change({ from: value }, 'source.channel')}
          error={form.problemOf('source.channel')}
          testId="route-from"
        />
        <TextField
          label="Identifier"
          value={id}
          onInput={(value) => change(withId(value, extended), 'source.id')}
          error={form.problemOf('source.id')}
          placeholder="123"
          testId="route-id"
        />
        <TextField
          label="Mask"
          value={mask}
          onInput={(value) => change({ mask: value }, 'source.mask')}
          error={form.problemOf('source.mask')}
          placeholder="all bits"
          testId="route-mask"
        />
        <ChannelField
          label="To"
          value={to}
          sources={sources.value}
          suits={isCan}
          onChange={(value) => change({ to: value }, 'target.channel')}
          error={form.problemOf('target.channel')}
          testId="route-to"
        />
        <TextField
          label="Sent as"
          value={as}
          onInput={(value) => change({ as: value }, 'target.id')}
          error={form.problemOf('target.id')}
          placeholder="the same"
          testId="route-as"
        />
      </div>
      <div class="actions">
        <button type="submit" {...unusableWhile(form.isBusy.value)} data-testid="route-add">
          Add route
        </button>
        <CheckField
          label="Extended identifiers"
          checked={extended}
          onChange={(checked) =>
            change({ ...withWidth(id, checked), as: withWidth(as, checked).id }, 'source.extended')
          }
          testId="route-extended"
        />
        {form.problemOf('source.extended') && (
          <small data-tone="bad">{form.problemOf('source.extended')}</small>
        )}
      </div>
      <ErrorNotice error={form.error.value} testId="route-error" />
    </form>
  );
};
