import { BusbarError } from '../base/errors/busbar-error.ts';
import { demoDatabase, demoProjectId, demoSenders } from '../demo/demo-bench.ts';
import type { Connection } from '../link/connection.ts';
import type { CliContext, Outcome } from './context.ts';
import { openLink } from './daemon-link.ts';
import { spawnForegroundDaemon } from './daemon-process.ts';
import { DemoProjectFolder } from './demo-project-folder.ts';
import { renderResult } from './render/result.ts';

interface Started {
  readonly url: string;
  readonly listen: string;
}

const portsToTry = 20;

/** Starts the Web service on the first free port from `first` on. */
const startWeb = async (link: Connection, first: number): Promise<Started> => {
  for (let port = first; ; port++) {
    try {
      return (await link.call('web.start', { listen: `127.0.0.1:${port}` }, null)) as Started;
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const last = first === 0 || port === first + portsToTry || port === 65535;
      if (error.code !== 'address_in_use' || last) throw error;
    }
  }
};

interface DemoMessage {
  readonly name: string;
  readonly senders: readonly string[];
}

/** Decodes everything that the vehicle's database describes. */
const startDecoding = async (link: Connection): Promise<void> => {
  const query = { name: demoDatabase, limit: 1000 };
  const shown = (await link.call('database.show', query, null)) as { message_page: DemoMessage[] };
  for (const { name: message, senders } of shown.message_page) {
    const sender = Object.values(demoSenders).find(({ node }) => senders.includes(node));
    if (!sender) continue;
    const plan = { channel: sender.heardOn, database: demoDatabase, message };
    await link.call('signal.plan-create', plan, null);
  }
};

/** The directory of the gateway project, or why there is none: the vehicle drives without it, too. */
const makeFolder = (): DemoProjectFolder | BusbarError => {
  try {
    return new DemoProjectFolder(process.cwd());
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
};

const startGateway = async (link: Connection, folder: DemoProjectFolder): Promise<void> => {
  const { path, project } = folder;
  await link.call('gateway.load', { file: project }, path);
  await link.call('gateway.start', { instance: demoProjectId }, path);
};

const greeting = (
  { url, listen }: Started,
  first: number,
  folder: DemoProjectFolder | BusbarError,
): string => {
  const moved = first !== 0 && !listen.endsWith(`:${first}`);
  return [
    ...(moved ? [`Port ${first} is taken; using ${listen} instead.`] : []),
    `Console  ${url}`,
    `API      ${url}api/v1/openapi.json`,
    'Traffic  busbar message recv    (in another terminal)',
    'Signals  busbar signal watch',
    folder instanceof BusbarError
      ? `Gateway  not started: ${folder.message}`
      : `Gateway  busbar gateway watch --instance=${demoProjectId}    (${folder.project})`,
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
};

/** Runs a daemon with a simulated vehicle, and its Web service, until it is interrupted. */
export const runDemo = async (
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<Outcome> => {
  const first = (values.port as number | undefined) ?? 8080;
  const daemon = spawnForegroundDaemon({ ...context, realtime: false, demo: true });
  const report = await daemon.report;
  if ('error' in report) throw BusbarError.fromRecord(report.error);
  const folder = makeFolder();
  const hasGateway = folder instanceof DemoProjectFolder;
  try {
    const link = await openLink(context.home, context.clock);
    if (!link) throw new BusbarError('daemon_unreachable');
    const web = await startWeb(link, first);
    await startDecoding(link);
    if (hasGateway) await startGateway(link, folder);
    link.close();
    const record = { url: web.url, web, gateway: hasGateway ? demoProjectId : null };
    context.write(
      context.format === 'text'
        ? greeting(web, first, folder)
        : renderResult(context.format, record, context.palette),
    );
    return { exitCode: await daemon.ended };
  } catch (thrown) {
    daemon.stop();
    await daemon.ended;
    throw thrown;
  } finally {
    if (hasGateway) folder.remove();
  }
};
