import type { Channel } from '../../api/client.ts';
import { sources } from '../../forms/bench-sources.ts';
import { channelOf, sourceProblems } from '../../forms/channel-selectors.ts';
import { ChannelField, FileField } from '../../forms/controls.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { jsonFiles } from '../../state/project-files.ts';
import { links, pickEcu } from './diagnostics-state.ts';

const emptyLink = {
  channel: '',
  name: '',
  nad: '',
  addressing: 'normal',
  request_id: '',
  response_id: '',
  functional_id: '',
  source: '',
  target: '',
  functional_target: '',
  address_extension: '',
  dids: '',
  fd: false,
  more: false,
  padding: '',
  block_size: '',
  st_min_us: '',
  max_length: '',
  p2_ms: '',
  p2_star_ms: '',
};

type LinkDraft = typeof emptyLink;

const isLin = ({ channel }: LinkDraft): boolean => channelOf(channel, sources.value)?.bus === 'lin';

const hasIds = (draft: LinkDraft): boolean => !isLin(draft) && draft.addressing !== 'normal_fixed';

/** Mixed addressing has addresses with 29 bits, and identifiers with 11. */
const hasAddresses = (draft: LinkDraft): boolean => !isLin(draft) && draft.addressing !== 'normal';

const isExtended = (draft: LinkDraft): boolean => !isLin(draft) && draft.addressing === 'extended';

const onCan = (draft: LinkDraft): boolean => draft.more && !isLin(draft);

const suits = ({ bus, lin }: Channel): boolean => bus !== 'lin' || lin?.role === 'master';

const form = schemaForm('isotp.open', emptyLink, [
  {
    key: 'channel',
    label: 'Channel',
    class: 'pair',
    testId: 'link-channel',
    render: (control) => <ChannelField {...control} sources={sources.value} suits={suits} />,
  },
  { key: 'name', label: 'ECU name', testId: 'link-name' },
  { key: 'nad', label: 'NAD', isShown: isLin, placeholder: '0x0A', testId: 'link-nad' },
  {
    key: 'addressing',
    label: 'Addressing',
    isShown: (draft) => !isLin(draft),
    testId: 'link-addressing',
  },
  {
    key: 'request_id',
    label: 'Request ID',
    placeholder: '7E0',
    isShown: hasIds,
    testId: 'link-request-id',
  },
  {
    key: 'response_id',
    label: 'Response ID',
    placeholder: '7E8',
    isShown: hasIds,
    testId: 'link-response-id',
  },
  {
    key: 'functional_id',
    label: 'Functional ID',
    placeholder: '7DF',
    isShown: hasIds,
    testId: 'link-functional-id',
  },
  {
    key: 'source',
    label: 'Tester address',
    placeholder: 'F1',
    isShown: hasAddresses,
    testId: 'link-source',
  },
  {
    key: 'target',
    label: 'ECU address',
    placeholder: '10',
    isShown: hasAddresses,
    testId: 'link-target',
  },
  {
    key: 'functional_target',
    label: 'Functional address',
    placeholder: 'DF',
    isShown: isExtended,
    testId: 'link-functional-target',
  },
  {
    key: 'address_extension',
    label: 'Extension',
    placeholder: '99',
    isShown: (draft) => !isLin(draft) && draft.addressing === 'mixed',
    testId: 'link-extension',
  },
  {
    key: 'dids',
    label: 'Identifier file',
    class: 'pair',
    placeholder: 'engine.dids.json',
    testId: 'link-dids',
    render: (control) => <FileField {...control} files={jsonFiles} />,
  },
  { key: 'padding', label: 'Padding', placeholder: 'CC', isShown: onCan, testId: 'link-padding' },
  { key: 'block_size', label: 'Block size', placeholder: '0', isShown: onCan },
  {
    key: 'st_min_us',
    label: 'STmin',
    placeholder: '0',
    isShown: onCan,
    inMilliseconds: true,
    testId: 'link-st-min',
  },
  {
    key: 'max_length',
    label: 'Max response',
    placeholder: '4095',
    isShown: ({ more }) => more,
  },
  { key: 'p2_ms', label: 'P2', placeholder: '50', isShown: ({ more }) => more, testId: 'link-p2' },
  { key: 'p2_star_ms', label: 'P2*', placeholder: '5000', isShown: ({ more }) => more },
  { key: 'fd', label: 'CAN FD', isAction: true, isShown: (draft) => !isLin(draft) },
  {
    key: 'more',
    field: '',
    label: 'More settings',
    isAction: true,
    read: () => undefined,
    testId: 'link-more',
  },
]);

export const OpenLinkForm = ({ onDone }: { readonly onDone: () => void }) => (
  <FormView
    form={form}
    name="link"
    submitId="link-submit"
    submitText="Open link"
    onSubmit={async () => {
      const problems = sourceProblems('channel', form.draft.peek().channel, sources.value);
      const link = await form.submit({ problems });
      if (!link) return;
      await links.refresh();
      pickEcu(link.ecu);
      form.change({ name: '' });
      onDone();
    }}
  />
);
