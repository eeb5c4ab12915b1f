import type { Clock } from '../../base/clock/clock.ts';
import type { FileDownload } from '../../base/files/file-download.ts';
import { FileDownloads } from '../../base/files/file-downloads.ts';
import { isHidden } from '../../base/files/file-uploads.ts';
import { notFound } from '../../base/files/path-refusals.ts';
import { JsonText, keptText } from '../../base/json/json-text.ts';
import { product } from '../../base/product.ts';
import type { Remote } from '../../base/threads/rpc-port.ts';
import type { ChannelRecord } from '../../bench/channel-record.ts';
import type { EventQueries } from '../../bench/event-queries.ts';
import type { Staging } from '../../broker/staging.ts';
import type { ChannelDatabases } from '../../database/service/channel-databases.ts';
import { messageRange } from '../../database/service/message-range.ts';
import type { PluginGuard } from '../../gateway/plugins/plugin-guard.ts';
import { versionRecord } from '../../link/version-record.ts';
import type { ModbusPoll } from '../../modbus/service/poll-record.ts';
import { channelStats } from '../../operations/channel.ts';
import { daemonStatus, daemonStop } from '../../operations/daemon.ts';
import {
  databaseAttach,
  databaseDetach,
  databaseList,
  databaseLoad,
  databaseReload,
  databaseShow,
  databaseUnload,
} from '../../operations/database.ts';
import type { ArgumentsOf } from '../../operations/define.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { fileDelete, fileGet, filePut } from '../../operations/file.ts';
import { health } from '../../operations/health.ts';
import { downloadsAtOnce, pageBytes, pageRange } from '../../operations/limits.ts';
import { messageHistory, messageRecv } from '../../operations/message.ts';
import { metrics } from '../../operations/metrics.ts';
import { modbusPoll } from '../../operations/modbus.ts';
import { operationList, operationShow } from '../../operations/operation.ts';
import { pduHistory, pduWatch } from '../../operations/pdu.ts';
import { recorderFile } from '../../operations/recorder.ts';
import { operations } from '../../operations/registry.ts';
import { describeCommands, describeNamed } from '../../operations/render/describe.ts';
import { renderOpenApi } from '../../operations/render/openapi.ts';
import { capabilities, info, openapi } from '../../operations/service.ts';
import {
  signalHistory,
  signalLatest,
  signalList,
  signalPlanCreate,
  signalPlanDelete,
  signalWatch,
} from '../../operations/signal.ts';
import { stoppedDaemonStatus } from '../../operations/stopped-records.ts';
import type { OpenStream, StreamReply } from '../../operations/stream.ts';
import { traceSummary } from '../../operations/trace.ts';
import { checkExecutable, execute } from '../../operations/version.ts';
import { webStart, webStatus, webStop } from '../../operations/web.ts';
import { type PduService, recordOf } from '../../pdu/service/pdu-service.ts';
import type { StoredPdu } from '../../pdu/service/pdu-store.ts';
import type { Sample, SignalSample } from '../../signal/live/sample-record.ts';
import type { SignalPages } from '../../signal/service/signal-pages.ts';
import type { SignalService } from '../../signal/service/signal-service.ts';
import { watchedChannel, watchFilter } from '../../signal/service/watch-request.ts';
import { SignalWatch } from '../../signal/service/watched-signal.ts';
import type { RequestMetrics } from '../../web/http/request-metrics.ts';
import type { Router } from '../../web/http/router.ts';
import { serviceCapabilities } from '../../web/service-capabilities.ts';
import { webConfiguration } from '../../web/web-configuration.ts';
import type { WebService } from '../../web/web-service.ts';
import type { BenchReports } from '../health/bench-reports.ts';
import type { DaemonMetrics } from '../health/daemon-metrics.ts';
import type { GatewayMetrics } from '../health/gateway-metrics.ts';
import type { RecorderMetrics } from '../health/recorder-metrics.ts';
import { runningStatus, serviceHealth, serviceInfo } from '../health/service-health.ts';
import { LinkSink, manyMessages, messages, RecordEncoder } from '../ipc/link-sink.ts';
import type { DaemonLog } from '../lifecycle/daemon-log.ts';
import { endDaemon } from '../lifecycle/daemon-stop.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import type { LoaderLink } from '../threads/loader-link.ts';
import type { BenchRpc } from './thread-contracts.ts';

interface ClientContext {
  readonly identity: DaemonIdentity;
  readonly clock: Clock;
  readonly bench: Remote<BenchRpc>;
  readonly web: WebService;
  readonly queries: EventQueries<Caller>;
  readonly requests: RequestMetrics;
  readonly metrics: DaemonMetrics;
  readonly gatewayMetrics: GatewayMetrics;
  readonly recorderMetrics: RecorderMetrics;
  readonly routes: Router;
  readonly log: DaemonLog;
  readonly plugins: PluginGuard;
  readonly reports: BenchReports;
  readonly loader: LoaderLink;
  readonly databases: ChannelDatabases<ChannelRecord, Caller>;
  readonly signals: SignalService;
  readonly pdus: PduService;
  readonly channelsOf: (
    selectors: readonly string[] | undefined,
    caller: Caller,
  ) => Promise<readonly number[] | null>;
  readonly pages: SignalPages;
}

export const bindClientOperations = (dispatcher: Dispatcher, context: ClientContext): void => {
  bindService(dispatcher, context);
  bindDiscovery(dispatcher, context);
  bindLifecycle(dispatcher, context);
  bindEvents(dispatcher, context);
  bindFiles(dispatcher, context);
  bindSignals(dispatcher, context);
  bindPdus(dispatcher, context);
};

const bindService = (dispatcher: Dispatcher, context: ClientContext): void => {
  const { identity, clock, web, requests, plugins, reports } = context;
  dispatcher
    .bind(info, () => serviceInfo(identity, web.status()))
    .bind(health, async () => {
      return serviceHealth({
        nowUs: clock.unixUs(),
        ...(await reports.ask()),
        hung: plugins.hung,
        web,
        requests: requests.count,
      });
    })
    .bind(metrics, () => renderMetrics(context))
    .bind(execute, ({ arguments: { operation } }) => {
      checkExecutable(operation);
      return versionRecord(identity.sources);
    });
};

const renderMetrics = async (context: ClientContext) => {
  const { bench, metrics: daemon, gatewayMetrics, recorderMetrics } = context;
  const [state, channels, instances, recorders] = await Promise.all([
    bench.daemonHealth(),
    bench.channelReports(),
    bench.instances(),
    bench.recorderReports(),
  ]);
  gatewayMetrics.show(instances);
  recorderMetrics.show(recorders);
  return daemon.render(state, channels);
};

const bindDiscovery = (dispatcher: Dispatcher, { web, routes }: ClientContext): void => {
  dispatcher
    .bind(
      openapi,
      keptText(() => renderOpenApi(operations, product)),
    )
    .bind(
      operationList,
      keptText(() => ({ operations: [...describeCommands(operations)] })),
    )
    .bind(operationShow, ({ arguments: { operation_id } }) =>
      describeNamed(operations, operation_id),
    )
    .bind(capabilities, () => serviceCapabilities(routes, web.status()));
};

const bindLifecycle = (dispatcher: Dispatcher, context: ClientContext): void => {
  const { identity, clock, log, bench, web, plugins } = context;
  dispatcher
    .bind(webStart, ({ arguments: request, given }) =>
      web.start(webConfiguration(request, given.has('listen'))),
    )
    .bind(webStatus, () => web.status())
    .bind(webStop, () => web.stop('command'))
    .bind(daemonStatus, async () =>
      runningStatus(identity, await bench.daemonHealth(), web.status()),
    )
    .bind(daemonStop, async () => {
      await endDaemon({
        clock,
        log,
        reason: () => plugins.hung,
        requestStop: () => bench.requestStop(),
        kill: () => process.kill(identity.pid, 'SIGKILL'),
      });
      return stoppedDaemonStatus(identity.home.directory);
    });
};

/** Results replaced in transit count like those replaced at the source. */
const pollMessages = messages((poll: Pick<ModbusPoll, 'coalesced'>, replaced: number) => ({
  ...poll,
  coalesced: poll.coalesced + replaced,
}));

const bindEvents = (dispatcher: Dispatcher, { clock, queries }: ClientContext): void => {
  dispatcher
    .bind(channelStats, ({ arguments: { selector }, caller }) => queries.stats(selector, caller))
    .bind(messageHistory, ({ arguments: query, caller }) => queries.history(query, caller))
    .bindStream(messageRecv, ({ arguments: query, caller }, reply) =>
      queries.receive(query, caller, (followed) => {
        const encoder = new RecordEncoder(followed, reply);
        return new LinkSink({ reply, clock, encoder, end: query });
      }),
    )
    .bindSink(modbusPoll, ({ arguments: { polls, duration_ms } }, reply) => {
      const end = { count: polls, duration_ms };
      return new LinkSink({ reply, clock, encoder: pollMessages, end });
    });
};

/** The loader parses and stores databases and trace files. */
const bindFiles = (dispatcher: Dispatcher, { bench, loader, databases }: ClientContext): void => {
  const downloads = new FileDownloads({
    atOnce: downloadsAtOnce,
    find: async (file) => (await loader.remote).findProjectFile(file),
  });
  const openShown = async (file: string, isShown: boolean): Promise<FileDownload> => {
    if (!isShown) throw notFound({ path: file, field: 'file' });
    return downloads.open(file);
  };
  dispatcher
    .bind(recorderFile, async ({ arguments: { name, file } }) =>
      openShown(file, (await bench.recorderFiles(name)).includes(file)),
    )
    .bind(fileGet, ({ arguments: { file } }) => openShown(file, !isHidden(file)))
    .bind(filePut, async ({ arguments: { data, upload = null, replaces = null, ...part } }) =>
      (await loader.remote).putFile({
        ...part,
        upload,
        replaces,
        data: Buffer.from(data, 'base64'),
      }),
    )
    .bind(fileDelete, async ({ arguments: { file, version } }) => {
      await (await loader.remote).removeFile(file, version);
      return { file };
    })
    .bind(databaseLoad, ({ arguments: { file, name, type } }) =>
      databases.load({ file, name, type }),
    )
    .bind(databaseList, async () => ({ databases: await (await loader.remote).list() }))
    .bind(databaseShow, async ({ arguments: request, given }) => {
      const range = messageRange(request, given);
      return new JsonText(await (await loader.remote).show(request.name, range));
    })
    .bind(databaseUnload, ({ arguments: { name } }) => databases.unload(name))
    .bind(databaseReload, ({ arguments: { name } }) => databases.reload(name))
    .bind(databaseAttach, ({ arguments: { selector, name }, caller }) =>
      databases.attach(selector, name, caller),
    )
    .bind(databaseDetach, ({ arguments: { selector, name }, caller }) =>
      databases.detach(selector, name, caller),
    )
    .bind(traceSummary, async ({ arguments: { file } }) =>
      (await loader.remote).summarizeTrace(file),
    );
};

const sampleMessages = messages(
  (sample: Sample, plan_id: string): SignalSample => ({ plan_id, ...sample }),
);

const watchChannel = async (
  { clock, queries, databases }: ClientContext,
  channel: string,
  query: ArgumentsOf<typeof signalWatch>,
  caller: Caller,
  reply: StreamReply,
): Promise<OpenStream> => {
  const { slot } = await queries.channelOf(channel, caller);
  const filter = watchFilter(channel, databases.of(slot), query.pattern);
  const events = { channel: [channel], after: query.after, decode: true };
  return queries.receive(events, caller, ({ decode, channels }) => {
    const watch = new SignalWatch({
      decode: decode ?? (() => null),
      selectorOf: (own) => channels().find((open) => open.slot === own)?.selector ?? '',
      filter,
      onlyChanges: query.changes,
    });
    const encoder = manyMessages(
      ({ view }: Staging, offset: number) => watch.signalsOf(view, offset),
      query.count,
    );
    return new LinkSink({ reply, clock, encoder, end: query });
  });
};

const bindSignals = (dispatcher: Dispatcher, context: ClientContext): void => {
  const { clock, queries, loader, databases, signals, pages } = context;
  dispatcher
    .bind(signalList, ({ arguments: request, caller }) =>
      pages.plans(pageRange(request), caller.signal),
    )
    .bind(signalPlanCreate, ({ arguments: request, caller }) =>
      signals.create(request, {
        channelOf: (selector) => queries.channelOf(selector, caller),
        messageOf: async (...named) => (await loader.remote).message(...named),
        contentOf: (name) => databases.content(name),
        attachedTo: (slot) => databases.of(slot),
      }),
    )
    .bind(signalPlanDelete, ({ arguments: { plan_id } }) => signals.delete(plan_id))
    .bind(signalLatest, ({ arguments: { plan, signal } }) => signals.latest(plan, signal))
    .bind(signalHistory, ({ arguments: query, caller }) =>
      pages.samples({ ...query, maxBytes: pageBytes }, caller.signal),
    )
    .bindStream(signalWatch, async ({ arguments: query, caller }, reply) => {
      const channel = watchedChannel(query);
      if (channel !== null) return watchChannel(context, channel, query, caller, reply);
      return new LinkSink({ reply, clock, encoder: sampleMessages, end: query }).open((sink) =>
        signals.subscribe(query, sink),
      );
    });
};

const pduMessages = messages((stored: StoredPdu, _sequence: number) => recordOf(stored));

const bindPdus = (dispatcher: Dispatcher, { clock, pdus, channelsOf }: ClientContext): void => {
  dispatcher
    .bind(pduHistory, async ({ arguments: { channel, ...query }, caller }) =>
      pdus.history({ ...query, maxBytes: pageBytes }, await channelsOf(channel, caller)),
    )
    .bindStream(pduWatch, async ({ arguments: query, caller }, reply) => {
      const channels = await channelsOf(query.channel, caller);
      const sink = new LinkSink({ reply, clock, encoder: pduMessages, end: query });
      return sink.open((opened) => pdus.subscribe(query, channels, opened));
    });
};
