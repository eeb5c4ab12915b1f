import { BusbarError } from '../base/errors/busbar-error.ts';
import type { DatabasePage } from '../database/database-records.ts';
import { demoProjectId } from '../demo/demo-bench.ts';
import { demoDatabase, demoSenders } from '../demo/demo-names.ts';
import type { Connection } from '../link/connection.ts';
import type { WebStatus } from '../operations/web.ts';
import type { CliContext, Outcome } from './context.ts';
import { openLink } from './daemon-link.ts';
import { spawnForegroundDaemon, startDirectory } from './daemon-process.ts';
import { type DemoGateway, demoNotice, modbusEndpoint } from './demo-notice.ts';
import { DemoProjectFolder } from './demo-project-folder.ts';
import { renderResult } from './render/result.ts';

/** The Web service as it is once it runs. */
type Started = WebStatus & { readonly url: string };

const portsToTry = 20;

const isTaken = ({ code, details }: BusbarError): boolean =>
  code === 'address_in_use' || details.reason === 'EADDRINUSE';

/** Starts something on the first free port from `first` on. */
const onFreePort = async <Result>(
  first: number,
  start: (port: number) => Promise<Result>,
): Promise<Result> => {
  for (let port = first; ; port++) {
    try {
      return await start(port);
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const last = first === 0 || port === first + portsToTry || port === 65535;
      if (!isTaken(error) || last) throw error;
    }
  }
};

const startWeb = (link: Connection, first: number): Promise<Started> =>
  onFreePort(first, async (port) => {
    return (await link.call('web.start', { listen: `127.0.0.1:${port}` }, null)) as Started;
  });

/** What the console shows of a signal before it was opened. */
const shownMs = 60_000;
/** Of messages that come when they want. */
const usualHistory = 1024;

/** Decodes all messages that the car itself sends. */
const startDecoding = async (link: Connection): Promise<void> => {
  const query = { name: demoDatabase, limit: 1000 };
  const shown = (await link.call('database.show', query, null)) as DatabasePage;
  for (const { name: message, senders, cycle_time_ms } of shown.message_page) {
    const sender = Object.values(demoSenders).find(({ node }) => senders.includes(node));
    if (!sender) continue;
    const history = cycle_time_ms ? Math.ceil(shownMs / cycle_time_ms) : usualHistory;
    const plan = { channel: sender.heardOn, database: demoDatabase, message, history };
    await link.call('signal.plan-create', plan, null);
  }
};

/** The directory of the gateway project, or why there is none: the vehicle drives without it, too. */
const makeFolder = (root: string, modbusPort: number): DemoProjectFolder | BusbarError => {
  try {
    return new DemoProjectFolder(root, modbusPort);
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
};

/** Starts the gateway with its Modbus server on the first free port. */
const startGateway = async (
  link: Connection,
  folder: DemoProjectFolder,
  first: number,
): Promise<DemoGateway> => {
  const { path, project } = folder;
  await link.call('gateway.load', { file: project }, path);
  const taken = await onFreePort(first, async (port) => {
    folder.writeBench(port);
    await link.call('gateway.start', { instance: demoProjectId }, path);
    return port;
  });
  return { project, modbus: { wanted: first, taken } };
};

interface FirstPorts {
  readonly web: number;
  readonly modbus: number;
}

/** Starts all that is beside the vehicle, and tells of it. */
const startServices = async (
  context: CliContext,
  folder: DemoProjectFolder | BusbarError,
  first: FirstPorts,
): Promise<void> => {
  const link = await openLink(context.home, context.clock);
  if (!link) throw new BusbarError('daemon_unreachable');
  const web = await startWeb(link, first.web);
  await startDecoding(link);
  const gateway =
    folder instanceof BusbarError ? folder : await startGateway(link, folder, first.modbus);
  link.close();
  const { url, listen } = web;
  if (context.format === 'text') {
    const taken = Number(listen.slice(listen.lastIndexOf(':') + 1));
    context.write(demoNotice({ url, web: { wanted: first.web, taken }, gateway }));
    return;
  }
  const served =
    gateway instanceof BusbarError
      ? { gateway: null, modbus: null }
      : { gateway: demoProjectId, modbus: modbusEndpoint(gateway.modbus) };
  context.write(renderResult(context.format, { url, web, ...served }, context.palette));
};

/** Runs a daemon with a simulated vehicle, and its Web service, until it is interrupted. */
export const runDemo = async (
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<Outcome> => {
  const first = {
    web: values.port as number,
    modbus: values.modbus_port as number,
  };
  const folder = makeFolder(startDirectory(context.workingDirectory), first.modbus);
  const directory = folder instanceof BusbarError ? null : folder.path;
  try {
    const daemon = spawnForegroundDaemon({ ...context, realtime: false, demo: { directory } });
    const report = await daemon.report;
    if ('error' in report) throw BusbarError.fromRecord(report.error);
    try {
      await startServices(context, folder, first);
    } catch (thrown) {
      daemon.stop();
      await daemon.ended;
      throw thrown;
    }
    return { exitCode: await daemon.ended };
  } finally {
    if (folder instanceof DemoProjectFolder) folder.remove();
  }
};
