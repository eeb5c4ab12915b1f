import type { Channel } from '../../api/client.ts';
import { sources } from '../../forms/bench-sources.ts';
import { sourceProblems } from '../../forms/channel-selectors.ts';
import { ChannelField } from '../../forms/controls.tsx';
import { idOf } from '../../forms/number-text.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { type Control, schemaForm } from '../../forms/schema-form.ts';
import { withId, withWidth } from './frame-draft.ts';
import { routes } from './send-state.ts';

const isCan = ({ bus }: Channel): boolean => bus !== 'lin';

const canChannel = (control: Control<string>) => (
  <ChannelField {...control} sources={sources.value} suits={isCan} />
);

const form = schemaForm(
  'route.add',
  { from: '', id: '', mask: '', to: '', as: '', extended: false },
  [
    {
      key: 'from',
      field: 'source.channel',
      label: 'Source',
      testId: 'route-from',
      render: canChannel,
    },
    {
      key: 'id',
      field: 'source.id',
      label: 'ID',
      placeholder: '123',
      testId: 'route-id',
      change: (id, { extended }) => withId(id, extended),
      read: idOf,
    },
    {
      key: 'mask',
      field: 'source.mask',
      label: 'Mask',
      placeholder: 'All bits',
      testId: 'route-mask',
      read: idOf,
    },
    { key: 'to', field: 'target.channel', label: 'Target', testId: 'route-to', render: canChannel },
    // Sent as entered: the service compares its width with that of the source ID.
    {
      key: 'as',
      field: 'target.id',
      label: 'Target ID',
      placeholder: 'Same ID',
      testId: 'route-as',
    },
    {
      key: 'extended',
      field: 'source.extended',
      label: 'Extended IDs',
      testId: 'route-extended',
      isAction: true,
      change: (extended, { id, as }) => ({
        ...withWidth(id, extended),
        as: withWidth(as, extended).id,
      }),
    },
  ],
);

const submit = async (): Promise<void> => {
  const { from, to } = form.draft.peek();
  const problems = [
    ...sourceProblems('source.channel', from, sources.value),
    ...sourceProblems('target.channel', to, sources.value),
  ];
  if (await form.submit({ problems })) await routes.refresh();
};

export const RouteForm = () => (
  <FormView
    form={form}
    name="route"
    submitId="route-add"
    submitText="Add route"
    onSubmit={submit}
  />
);
