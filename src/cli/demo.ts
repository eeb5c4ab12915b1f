import { mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { benchFileName } from '../bench/load-bench.ts';
import type { DatabasePage } from '../database/database-records.ts';
import { demoBenchFile, demoModbus, demoPorts } from '../demo/demo-bench.ts';
import { demoDatabase, demoProjectId, demoSenders, doorDatabase } from '../demo/demo-names.ts';
import { demoProject } from '../demo/demo-project.ts';
import type { Connection } from '../link/connection.ts';
import type { WebStatus } from '../operations/web.ts';
import type { CliContext, Outcome } from './context.ts';
import { openLink } from './daemon-link.ts';
import { spawnForegroundDaemon, startDirectory } from './daemon-process.ts';
import { renderResult } from './render/result.ts';

interface PortChoice {
  readonly wanted: number;
  readonly taken: number;
}

interface DemoGateway {
  readonly project: string;
  readonly modbus: PortChoice;
}

interface DemoNotice {
  readonly url: string;
  readonly web: PortChoice;
  /** Error if the gateway did not start. */
  readonly gateway: DemoGateway | BusbarError;
}

const isMoved = ({ wanted, taken }: PortChoice): boolean => wanted !== 0 && wanted !== taken;

const modbusEndpoint = ({ taken }: PortChoice): string => `tcp:${demoModbus.host}:${taken}`;

const gatewayLines = (gateway: DemoNotice['gateway']): string[] => {
  if (gateway instanceof Error) return [`Gateway  not started: ${gateway.message}`];
  const place = `--endpoint=${modbusEndpoint(gateway.modbus)} --unit=${demoModbus.unit}`;
  return [
    `Gateway  busbar gateway watch --instance=${demoProjectId}    (${gateway.project})`,
    `Modbus   busbar modbus read ${place} --table=input --address=0 --count=5`,
  ];
};

const movedLines = ({ web, gateway }: DemoNotice): string[] => {
  const modbus = gateway instanceof Error ? undefined : gateway.modbus;
  const instead = ({ taken }: PortChoice) => `127.0.0.1:${taken} instead.`;
  return [
    ...(isMoved(web) ? [`Port ${web.wanted} is in use; the console uses ${instead(web)}`] : []),
    ...(modbus && isMoved(modbus)
      ? [`Port ${modbus.wanted} is in use; Modbus uses ${instead(modbus)}`]
      : []),
  ];
};

/** Text of a running demonstration: addresses and commands to try. */
const demoNotice = (notice: DemoNotice): string =>
  [
    ...movedLines(notice),
    `Console  ${notice.url}`,
    `API      ${notice.url}api/v1/openapi.json`,
    'Traffic  busbar message recv    (in another terminal)',
    'Signals  busbar signal watch',
    ...gatewayLines(notice.gateway),
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');

const isUnchanged = (path: string, text: string): boolean => {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
};

/**
 * Folder of the demonstration project and bench, inside the only directory in which the daemon
 * opens files.
 */
class DemoProjectFolder {
  readonly path: string;
  readonly project: string;
  readonly #texts = new Map<string, string>();

  constructor(root: string, modbusPort: number) {
    try {
      this.path = mkdtempSync(join(root, 'busbar-demo-'));
      const project = join(this.path, `${demoProjectId}.gwproj`);
      this.project = relative(root, project);
      this.#write(project, demoProject());
      this.writeBench(modbusPort);
    } catch (cause) {
      throw new BusbarError('file_unavailable', {
        message: `Cannot write the gateway project in ${root}`,
        details: { file: root, reason: (cause as NodeJS.ErrnoException).code },
        cause,
      });
    }
  }

  writeBench(modbusPort: number): void {
    this.#write(join(this.path, benchFileName), demoBenchFile(modbusPort));
  }

  /** Removes everything except files that were added or edited. */
  remove(): void {
    for (const [path, text] of this.#texts) if (isUnchanged(path, text)) rmSync(path);
    try {
      rmdirSync(this.path);
    } catch {
      // Moved or not empty.
    }
  }

  #write(path: string, text: string): void {
    writeFileSync(path, text);
    this.#texts.set(path, text);
  }
}

type Started = WebStatus & { readonly url: string };

const portsToTry = 20;

const isTaken = ({ code, details }: BusbarError): boolean =>
  code === 'address_in_use' || details.reason === 'EADDRINUSE';

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

const shownMs = 60_000;
const usualHistory = 1024;

const attachDatabases = async (link: Connection): Promise<void> => {
  for (const { channel, name } of demoPorts) {
    const database = name.startsWith('door') ? doorDatabase : demoDatabase;
    await link.call('database.attach', { selector: channel, name: database }, null);
  }
};

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

const makeFolder = (root: string, modbusPort: number): DemoProjectFolder | BusbarError => {
  try {
    return new DemoProjectFolder(root, modbusPort);
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
};

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

/** Starts everything except the vehicle, and prints it. */
const startServices = async (
  context: CliContext,
  folder: DemoProjectFolder | BusbarError,
  first: FirstPorts,
): Promise<void> => {
  const link = await openLink(context.home, context.clock);
  if (!link) throw new BusbarError('daemon_unreachable');
  const web = await startWeb(link, first.web);
  await attachDatabases(link);
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

export const runDemo = async (
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<Outcome> => {
  const first = { web: values.port as number, modbus: values.modbus_port as number };
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
