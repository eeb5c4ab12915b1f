import { lookup } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { ProjectRoot } from '../base/files/project-root.ts';
import { Mutex } from '../base/mutex.ts';
import { formatHostPort, type HostPort } from '../base/net/host-port.ts';
import { listenError } from '../base/net/listen-error.ts';
import { isLoopback } from '../base/net/loopback.ts';
import { parseHostPort } from '../base/net/parse-host-port.ts';
import type { WebMemory } from '../link/web-memory.ts';
import { defaultListen, historyCapacity, limits } from '../operations/limits.ts';
import { stoppedWebStatus } from '../operations/stopped-records.ts';
import type { WebStatus } from '../operations/web.ts';
import { Token } from './auth/guard.ts';
import { openLogDestination } from './diagnostics/destination.ts';
import { Diagnostics } from './diagnostics/diagnostics.ts';
import type { EventStreamSource, EventStreams } from './http/event-streams.ts';
import type { HttpServer, HttpServerOptions } from './http/http-server.ts';
import { StaticFiles } from './static/static-files.ts';
import type { WebConfiguration } from './web-configuration.ts';

interface ListenerChoice {
  readonly listen: string;
  readonly token: string | null;
  readonly allowInsecureHttp: boolean;
}

const resolveHost = async (host: string): Promise<string> => {
  try {
    const addresses = await lookup(host, { all: true });
    const chosen = addresses.find(({ family }) => family === 4) ?? addresses[0];
    if (chosen) return chosen.address;
  } catch {
    // Reported below; the reason adds nothing to the name.
  }
  throw new BusbarError('listen_failed', {
    message: `Cannot resolve host ${host}`,
    details: { field: 'listen', reason: 'ENOTFOUND' },
  });
};

export const admitListener = async (choice: ListenerChoice): Promise<HostPort> => {
  const { host, port } = parseHostPort(choice.listen, 'listen');
  const address = await resolveHost(host);
  if (isLoopback(address)) return { host: address, port };
  if (choice.token === null) {
    throw invalidArgument('token', 'A non-loopback listener requires a token');
  }
  if (!choice.allowInsecureHttp) {
    throw invalidArgument(
      'allow_insecure_http',
      'A non-loopback listener is not encrypted; acknowledge this with --allow-insecure-http',
    );
  }
  return { host: address, port };
};

type HttpParts = Pick<
  HttpServerOptions,
  'operations' | 'dispatcher' | 'metrics' | 'turns' | 'scratch' | 'timeouts'
>;

export interface WebServiceOptions {
  readonly clock: Clock;
  readonly http: HttpParts;
  readonly events: EventStreamSource & {
    keep(capacity: number): Promise<void>;
    begin(): void;
    end(): void;
  };
  readonly projectRoot: string;
  readonly packagedConsole: string;
  /** Documentation served with the packaged console. */
  readonly packagedSite: string;
  readonly memory: { read(): WebMemory; write(memory: WebMemory): void };
  /** Called with the running configuration, or null, so the daemon can restart it. */
  readonly onChange: (configuration: WebConfiguration | null) => void;
}

/** Loaded on first use, so a daemon without a web service starts faster. */
const loadServer = async () => ({
  ...(await import('./http/event-streams.ts')),
  ...(await import('./http/http-server.ts')),
});

const consoleUrl = ({ host, port }: HostPort): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${formatHostPort({ host: reachable, port })}/`;
};

interface Running {
  readonly server: HttpServer;
  readonly streams: EventStreams;
  readonly diagnostics: Diagnostics;
  readonly roots: readonly ProjectRoot[];
  readonly status: WebStatus;
}

const alreadyRunning = (status: WebStatus): BusbarError =>
  new BusbarError('already_running', {
    message: `The Web service is already running on ${status.listen}`,
    details: { ...status },
  });

/** The web service, running or stopped. Starts and stops are serialized. */
export class WebService {
  readonly #options: WebServiceOptions;
  #running: Running | null = null;
  readonly #turns = new Mutex();

  constructor(options: WebServiceOptions) {
    this.#options = options;
  }

  start(configuration: WebConfiguration): Promise<WebStatus> {
    return this.#turns.take(async () => {
      if (this.#running) throw alreadyRunning(this.#running.status);
      this.#running = await this.#open(configuration);
      this.#options.events.begin();
      const { status, diagnostics } = this.#running;
      try {
        this.#remember(configuration, status);
      } catch (thrown) {
        // A full disk loses the stored settings, not the service.
        diagnostics.runtimeError(thrown);
      }
      // A restarted thread uses the same port; the configured settings stay.
      this.#options.onChange({ ...configuration, listen: status.listen, listenGiven: false });
      return status;
    });
  }

  async resume(
    configuration: WebConfiguration | null,
    { onBegin, onFailed }: { onBegin(): void; onFailed(error: BusbarError): void },
  ): Promise<void> {
    if (!configuration) return;
    onBegin();
    try {
      await this.start(configuration);
    } catch (thrown) {
      onFailed(BusbarError.from(thrown));
      this.#options.onChange(null);
    }
  }

  stop(reason: 'command' | 'daemon_stop'): Promise<WebStatus> {
    return this.#turns.take(async () => {
      const running = this.#running;
      if (!running) return this.status();
      const startedUs = running.status.started_at_us ?? 0;
      running.diagnostics.lifecycle('stopping', { reason });
      this.#running = null;
      await running.server.close(reason === 'command' ? 'web_stopped' : 'daemon_stopped');
      this.#options.events.end();
      for (const root of running.roots) root.close();
      const uptimeUs = this.#options.clock.unixUs() - startedUs;
      running.diagnostics.lifecycle('stopped', { uptime_us: uptimeUs });
      running.diagnostics.close();
      if (reason === 'command') this.#options.onChange(null);
      return this.status();
    });
  }

  status(): WebStatus {
    return this.#running?.status ?? stoppedWebStatus(this.#options.memory.read());
  }

  /** History capacity and stream epoch; defaults while the service is stopped. */
  get eventView(): { readonly capacity: number; readonly epoch: number } {
    const { history_capacity, stream_epoch } = this.status();
    return { capacity: history_capacity ?? historyCapacity.default, epoch: stream_epoch ?? 0 };
  }

  get clients(): number {
    return this.#running?.server.clients ?? 0;
  }

  get isLogSound(): boolean {
    return this.#running?.diagnostics.isSound() ?? true;
  }

  reopenLog(): void {
    this.#running?.diagnostics.reopen();
  }

  get logRecordsDropped(): number {
    return this.#running?.diagnostics.dropped ?? 0;
  }

  async #open(configuration: WebConfiguration): Promise<Running> {
    const { clock, http, projectRoot, events } = this.#options;
    const { logFile, logLevel, token, historyCapacity } = configuration;
    // Opened first, so that later errors can be logged.
    const destination = openLogDestination(
      logFile === null ? undefined : resolve(projectRoot, logFile),
    );
    const secrets = token === null ? [] : [token];
    const diagnostics = new Diagnostics({ clock, level: logLevel, destination, secrets });
    const roots: ProjectRoot[] = [];
    try {
      const address = await admitListener(configuration);
      const { EventStreams, HttpServer } = await loadServer();
      const root = this.#openRoot(configuration.webRoot);
      roots.push(root);
      const site = configuration.webRoot === null ? this.#openSite() : null;
      if (site) roots.push(site);
      await events.keep(historyCapacity);
      diagnostics.lifecycle('starting', { listen: formatHostPort(address) });
      const startedUs = clock.unixUs();
      const streams = new EventStreams({
        source: events,
        clock,
        epoch: startedUs,
        capacity: historyCapacity,
        limits: { sse: limits.sseClients, websocket: limits.websocketClients },
      });
      const server = new HttpServer({
        ...http,
        clock,
        diagnostics,
        streams,
        files: new StaticFiles(root, site),
        token: token === null ? null : new Token(token),
      });
      const endpoint = await this.#listen(server, address);
      const status = this.#runningStatus(configuration, endpoint, root, diagnostics, startedUs);
      diagnostics.lifecycle('listening', {
        listen: status.listen,
        web_root: root.path,
        auth: token === null ? 'none' : 'bearer',
        log_level: logLevel,
        log_destination: diagnostics.destination,
      });
      return { server, streams, diagnostics, roots, status };
    } catch (thrown) {
      diagnostics.startupError(thrown);
      diagnostics.close();
      for (const root of roots) root.close();
      throw thrown;
    }
  }

  async #listen(server: HttpServer, address: HostPort): Promise<HostPort> {
    try {
      return await server.listen(address);
    } catch (thrown) {
      await server.close();
      throw listenError(thrown, formatHostPort(address));
    }
  }

  #openRoot(webRoot: string | null): ProjectRoot {
    const { packagedConsole, projectRoot } = this.#options;
    if (webRoot === null) return ProjectRoot.open(packagedConsole, { field: 'web_root' });
    const project = ProjectRoot.open(projectRoot);
    try {
      return project.subRoot(webRoot, { field: 'web_root' });
    } finally {
      project.close();
    }
  }

  #openSite(): ProjectRoot | null {
    const { packagedSite } = this.#options;
    return existsSync(packagedSite) ? ProjectRoot.open(packagedSite) : null;
  }

  #runningStatus(
    configuration: WebConfiguration,
    endpoint: HostPort,
    root: ProjectRoot,
    diagnostics: Diagnostics,
    startedUs: number,
  ): WebStatus {
    const listen = formatHostPort(endpoint);
    return {
      state: 'running',
      default_listen: defaultListen,
      listen_source: 'effective',
      listen,
      configured_listen: listen,
      effective_listen: listen,
      log_level: configuration.logLevel,
      log_destination: diagnostics.destination,
      url: consoleUrl(endpoint),
      web_root: root.path,
      authentication: configuration.token === null ? 'none' : 'token',
      history_capacity: configuration.historyCapacity,
      started_at_us: startedUs,
      stream_epoch: startedUs,
    };
  }

  #remember(configuration: WebConfiguration, status: WebStatus): void {
    const { memory } = this.#options;
    memory.write({
      configuredListen: configuration.listenGiven
        ? configuration.listen
        : memory.read().configuredListen,
      logLevel: status.log_level,
      logDestination: status.log_destination,
    });
  }
}
