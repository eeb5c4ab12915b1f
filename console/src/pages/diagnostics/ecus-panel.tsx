import { useSignal } from '@preact/signals';
import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import { call, type DiagnosticLink } from '../../api/client.ts';
import { formatCount, formatInstant } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { Facts } from '../../ui/facts.tsx';
import { ToggleButton, unusableWhile } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { setting } from '../../ui/set-signal.ts';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { chosen, links, pickEcu, securityText, sessionText } from './diagnostics-state.ts';
import { OpenLinkForm } from './open-link-form.tsx';

const closing = act(async (ecu: string) => {
  await call('isotp.close', { ecu });
  await links.refresh();
});

const presence = act(async (ecu: string, enabled: boolean) => {
  await call('uds.tester-present', { ecu, enabled });
  await links.refresh();
});

const PresenceSwitch = ({ ecu, tester_present }: DiagnosticLink) => (
  <input
    type="checkbox"
    role="switch"
    aria-checked={tester_present}
    aria-label={`Tester present to ${ecu}`}
    title="Send TesterPresent every 2 s, which keeps the session"
    data-testid="tester-present"
    checked={tester_present}
    {...unusableWhile(presence.isBusy.value)}
    onClick={(event) => event.stopPropagation()}
    onChange={() => void presence.run(ecu, !tester_present)}
  />
);

const columns: readonly Column<DiagnosticLink>[] = [
  column('ecu', 'ECU', 96, ({ ecu }) => ecu, { least: 72, grows: true }),
  column('channel', 'Channel', 104, ({ channel, selector }) => selector ?? channel, {
    ...{ least: 72, grows: true, spare: 1 },
  }),
  states('state', 'State', 84, ({ state }) => state),
  column('session', 'Session', 120, ({ session }) => sessionText(session), { least: 84 }),
  column('security', 'Security', 72, ({ security_level }) => securityText(security_level)),
  column('present', 'Tester', 56, ({ tester_present }) => (tester_present ? 'on' : 'off'), {
    render: PresenceSwitch,
  }),
  numbers('sent', 'Sent', 56, ({ counters }) => counters.sent, { spare: 3 }),
  numbers('received', 'Received', 72, ({ counters }) => counters.received, { spare: 4 }),
  numbers('timeouts', 'Timeouts', 74, ({ counters }) => counters.timeouts, { spare: 2 }),
];

const idText = ({ settings }: DiagnosticLink, id: number): string =>
  hexDigits(id, settings.extended ? 8 : 3);

const idsText = (link: DiagnosticLink): string => {
  const { nad, request_id, response_id } = link.settings;
  return nad === null
    ? `${idText(link, request_id)} → ${idText(link, response_id)}`
    : `NAD ${hexDigits(nad, 2)}`;
};

const framesText = ({ settings: { nad, fd, tx_dl } }: DiagnosticLink): string => {
  if (nad !== null) return 'LIN';
  return `CAN${fd ? ' FD' : ''}, ${tx_dl} bytes`;
};

const LinkFacts = ({ link }: { readonly link: DiagnosticLink }) => {
  const { settings, counters, last_finding, opened_at_us, queued } = link;
  return (
    <div class="link-facts">
      <Facts
        testId="link-facts"
        of={[
          ['Identifiers', idsText(link), { mono: true }],
          [
            'Functional',
            settings.functional_id === null || settings.nad !== null
              ? '–'
              : idText(link, settings.functional_id),
            { mono: true },
          ],
          ['Addressing', settings.addressing.replaceAll('_', ' ')],
          ['Frames', framesText(link)],
          ['P2, P2*', `${formatCount(settings.p2_ms)}, ${formatCount(settings.p2_star_ms)} ms`],
          ['Waiting', queued],
          ['Sent', counters.sent],
          ['Received', counters.received],
          ['Timeouts', counters.timeouts, { alarm: counters.timeouts > 0 }],
          ['Findings', counters.findings, { alarm: counters.findings > 0 }],
          last_finding !== null && ['Last', last_finding.replaceAll('_', ' '), { whole: true }],
          opened_at_us !== null && ['Opened', formatInstant(opened_at_us), { whole: true }],
        ]}
      />
    </div>
  );
};

export const EcusPanel = () => {
  const { data } = useResource(links, 'diagnostics');
  const isOpening = useSignal(false);
  const link = chosen.value;
  return (
    <ListPanel<DiagnosticLink>
      name="ecus"
      title="ECUs"
      class="ecus"
      source={links}
      error={closing.error.value ?? presence.error.value}
      columns={columns}
      rows={data.value?.links ?? []}
      keyOf={({ ecu }) => ecu}
      selected={({ ecu }) => ecu === link?.ecu}
      onSelect={({ ecu }) => pickEcu(ecu)}
      rowAttributes={({ ecu }) => ({ 'data-ecu': ecu })}
      actions={
        <>
          {link && (
            <button
              type="button"
              data-testid="link-close"
              title={
                link.state === 'closed'
                  ? 'The first request opens the link'
                  : `Close the link to ${link.ecu}`
              }
              {...unusableWhile(link.state === 'closed' || closing.isBusy.value)}
              onClick={() => void closing.run(link.ecu)}
            >
              Close link
            </button>
          )}
          <ToggleButton isOn={isOpening} testId="link-open">
            Open link…
          </ToggleButton>
        </>
      }
      empty="No ECUs. Name them in the bench file, or open a link here."
      footer={link && !isOpening.value && <LinkFacts link={link} />}
    >
      {isOpening.value && <OpenLinkForm onDone={setting(isOpening, false)} />}
    </ListPanel>
  );
};
