import { join } from 'node:path';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { inOnePiece } from '../../base/json/sliced-json.ts';
import { product } from '../../base/product.ts';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { CallControl, type Port, RpcPort } from '../../base/threads/rpc-port.ts';
import type { ChannelRecord } from '../../bench/channel-record.ts';
import { ClientEvents } from '../../bench/client-events.ts';
import { EventQueries } from '../../bench/event-queries.ts';
import { benchFileName } from '../../bench/load-bench.ts';
import { BrokerMemory } from '../../broker/broker-memory.ts';
import { readerBell } from '../../broker/doorbell.ts';
import { LiveChecks } from '../../check/live/live-checks.ts';
import type { LiveNames } from '../../check/live/live-setup.ts';
import { packReport } from '../../check/packed-report.ts';
import { ChannelDatabases } from '../../database/service/channel-databases.ts';
import { BuilderPool, type BuilderThread } from '../../gateway/build/builder-pool.ts';
import { lateInstanceCalls, patientInstanceCalls } from '../../gateway/instances/instance-rpc.ts';
import { PluginGuard } from '../../gateway/plugins/plugin-guard.ts';
import { ProjectInstances } from '../../gateway/service/project-instances.ts';
import { InstanceWatches } from '../../gateway/watch/instance-watches.ts';
import { linkProtocol } from '../../link/protocol.ts';
import { readWebMemory, writeWebMemory } from '../../link/web-memory.ts';
import {
  type Caller,
  Dispatcher,
  type PlainCaller,
  PreparedCall,
  plainCaller,
} from '../../operations/dispatcher.ts';
import { j1939List, j1939Send } from '../../operations/j1939.ts';
import {
  batchLimit,
  gatewayTaskPage,
  limits,
  pageBytes,
  simulationMessagePage,
} from '../../operations/limits.ts';
import { messageSend } from '../../operations/message.ts';
import { operations } from '../../operations/registry.ts';
import { withNodes } from '../../pdu/claimed-addresses.ts';
import { LongPdus } from '../../pdu/service/long-pdus.ts';
import { PduService } from '../../pdu/service/pdu-service.ts';
import type { J1939Addresses } from '../../pdu/transmit/claim-record.ts';
import type { J1939SendRecord } from '../../pdu/transmit/j1939-record.ts';
import { decodeFixed, decodeLive, FrameDecoder } from '../../signal/service/frame-decoder.ts';
import { NamedMessages } from '../../signal/service/named-messages.ts';
import { SignalPages } from '../../signal/service/signal-pages.ts';
import { SignalService } from '../../signal/service/signal-service.ts';
import { withCheckedList } from '../../transmit/checked-list.ts';
import type { SendRecord } from '../../transmit/send-record.ts';
import { prepareJ1939 } from '../../transmit/service/named-j1939.ts';
import { NamedSchedules } from '../../transmit/service/named-schedules.ts';
import { prepareSend } from '../../transmit/service/named-sends.ts';
import { NamedTasks } from '../../transmit/service/named-tasks.ts';
import { RequestMetrics, routePatterns } from '../../web/http/request-metrics.ts';
import { Router } from '../../web/http/router.ts';
import { MetricRegistry } from '../../web/metrics/registry.ts';
import { answerStreams, RepeatedAnswers } from '../../web/sse/answer-stream.ts';
import { eventStream, subscribeEvents } from '../../web/sse/event-stream.ts';
import { pduStream } from '../../web/sse/pdu-stream.ts';
import { sampleStream } from '../../web/sse/sample-stream.ts';
import { watchStream } from '../../web/sse/watch-stream.ts';
import { lateWebCalls } from '../../web/web-configuration.ts';
import { WebService } from '../../web/web-service.ts';
import { BenchReports } from '../health/bench-reports.ts';
import { DaemonMetrics } from '../health/daemon-metrics.ts';
import { GatewayMetrics } from '../health/gateway-metrics.ts';
import { RecorderMetrics } from '../health/recorder-metrics.ts';
import { IpcServer } from '../ipc/server.ts';
import { DaemonLog } from '../lifecycle/daemon-log.ts';
import { LoaderLink } from '../threads/loader-link.ts';
import { benchPort, takeNiceness } from '../threads/priorities.ts';
import { lateStartCalls } from '../threads/thread-start.ts';
import { bindCheckOperations } from './check-operations.ts';
import { bindClientOperations } from './client-operations.ts';
import { bindConditionOperations } from './condition-operations.ts';
import { bindGatewayOperations, bindSimulationOperations } from './gateway-operations.ts';
import { bindLinOperations } from './lin-operations.ts';
import { bindNamedTasks } from './task-operations.ts';
import type {
  BenchRpc,
  BuilderThreadData,
  ClientRpc,
  ClientThreadData,
} from './thread-contracts.ts';

/** Calls that reach the bench thread even while a plugin blocks it. */
const deliveredLate: readonly (keyof BenchRpc)[] = [
  ...lateInstanceCalls,
  ...lateStartCalls,
  ...lateWebCalls,
];

export const runClientThread = async (
  parentPort: Port,
  data: ClientThreadData,
  startBuilder: (data: BuilderThreadData) => BuilderThread,
  programs: string,
): Promise<void> => {
  const { identity, realtime, broker } = data;
  const port = await benchPort(parentPort, realtime);
  const clock = new SystemClock(identity.unixOffsetUs);
  const log = new DaemonLog(clock);
  const onDefect = (thrown: unknown): void => log.defect(thrown);
  takeNiceness('client');

  const registry = new MetricRegistry();
  const requests = new RequestMetrics(registry, routePatterns(operations));
  const dispatcher = new Dispatcher(operations);
  const turns = new YieldQueue();
  const scratch = new ScratchPool();
  const offer: ClientRpc = {
    channelOpening: (entry) => events.open(entry),
    channelClosed: (slot) => {
      pdus.channelClosing(slot);
      events.close(slot);
      databases.closed(slot);
    },
    attachFiles: (channel, files) => databases.attachFiles(channel, files),
    listenToEcus: (slot, ecus) => pdus.setEcus(slot, ecus),
    openPlugins: async (file, image) => {
      // Bench-thread status while a plugin blocks it.
      await reports.ask();
      await plugins.watch();
      return plugins.starts.open(file, image);
    },
    computeKey: (seedKey, level, seed) =>
      plugins.starts.computeKey(benchFileName, { ...seedKey, level, seed }),
    checkLive: async (request, caller, control) =>
      packReport(await liveChecks.run(request, caller, control)),
    closePlugins: (handle) => plugins.starts.close(handle),
    reopenLog: () => web.reopenLog(),
    shutDown: async () => {
      ipc.stopListening();
      await web.stop('daemon_stop');
      for (const source of [pdus, events.hub, watches, plugins]) source.close();
      dispatcher.endForwardedStreams();
      ipc.cancelCalls('daemon_stopped');
      await ipc.settled();
    },
  };
  const benchCalls = new RpcPort<BenchRpc>(port, offer, onDefect);
  const bench = benchCalls.remote;
  void bench.clientStage('setting up its services');
  const loader = new LoaderLink({
    port,
    onDefect,
    onLost: ({ file, name }, thrown) => {
      if (name !== undefined) void databases.lost(name).catch(onDefect);
      const error = BusbarError.from(thrown).toRecord();
      log.event('database_not_restored', { file, name, error });
    },
  });
  const { reader, channels } = broker;
  const memory = new BrokerMemory(broker.memory);
  const events = new ClientEvents<Caller>({
    memory,
    bell: readerBell({ memory, reader, clock, realtime }),
    clock,
    channels,
    follow: (selectors, caller) => bench.followChannels(selectors, plainCaller(caller)),
    onDefect,
  });
  const databases = new ChannelDatabases<ChannelRecord, Caller>({
    source: loader,
    channels: {
      attach: (selector, database, caller) =>
        bench.attachDatabase(selector, database, plainCaller(caller)),
      detach: (selector, name, caller) => bench.detachDatabase(selector, name, plainCaller(caller)),
      describe: (database) => bench.describeDatabase(database),
      forget: (name) => bench.forgetDatabase(name),
    },
  });
  const pdus = new PduService({
    events: events.hub,
    clock,
    selectorOf: (slot) => events.selectorOf(slot),
    nameOf: (slot) => events.nameOf(slot),
    onDefect,
  });
  pdus.start();
  const longRecords = new LongPdus(pdus);
  const decoder = new FrameDecoder(longRecords);
  const signals = new SignalService({
    events: events.hub,
    longRecords,
    clock,
    selectorOf: (slot) => events.selectorOf(slot),
    maxPlans: limits.signalPlans,
    maxBytes: limits.signalBytes,
    maxSignals: limits.signalsOfPlan,
    onDefect,
  });
  const { projectRoot } = identity;
  const whileHung = { delivered: deliveredLate, isOver: () => plugins.hasReturned };
  const plugins = new PluginGuard({
    clock,
    projectRoot,
    program: join(programs, 'plugin-probe.cjs'),
    callsFile: identity.home.pluginCalls,
    librariesFolder: identity.home.pluginLibraries,
    onHung: (call, error) => {
      log.event('plugin_unresponsive', { ...call });
      benchCalls.interrupt(error, { ...whileHung, patient: patientInstanceCalls });
    },
    onStuck: (error) => benchCalls.interrupt(error, whileHung),
    onReturned: (call) => {
      log.event('plugin_returned', { ...call });
      benchCalls.resume();
    },
  });
  const reports = new BenchReports({ bench, clock, startedAtUs: identity.startedAtUs });
  const selectorOf = (slot: number) => events.selectorOf(slot);
  const watches = new InstanceWatches({ clock, host: bench, selectorOf, onDefect });
  const web = new WebService({
    clock,
    http: { operations, dispatcher, metrics: requests, turns, scratch },
    events: {
      sse: [
        eventStream(events, () => decodeLive(databases, decoder)),
        sampleStream(signals),
        pduStream(pdus, events),
        watchStream(watches),
        ...answerStreams(new RepeatedAnswers({ clock, onDefect }), async (...call) =>
          inOnePiece(await dispatcher.invoke(...call), { turns, scratch }),
        ),
      ],
      subscribeFrames: (...wanted) => subscribeEvents(events, ...wanted),
      keep: (capacity) => bench.growHistory(capacity),
      begin: () => signals.begin(),
      end: () => signals.end(),
    },
    projectRoot,
    packagedConsole: data.packagedConsole,
    packagedSite: data.packagedSite,
    memory: {
      read: () => readWebMemory(identity.home.webState),
      write: (memory) => writeWebMemory(identity.home.webState, memory),
    },
    onChange: (configuration) => void bench.rememberWeb(configuration),
  });
  const ipc = new IpcServer({
    socket: identity.home.socket,
    hello: { busbar: linkProtocol, version: product.version, pid: identity.pid },
    dispatcher,
    clock,
    turns,
    scratch,
    onDefect,
  });
  const queries = new EventQueries<Caller>({
    events,
    bench: {
      report: (selector, caller) => bench.channelReport(selector, plainCaller(caller)),
      consumersOf: (slot) => bench.consumersOf(slot),
    },
    view: () => web.eventView,
    turns,
    scratch,
    pageBytes,
    decoding: {
      live: () => decodeLive(databases, decoder),
      fixed: () => decodeFixed(databases, decoder),
    },
  });
  bindClientOperations(dispatcher, {
    identity,
    clock,
    bench,
    web,
    queries,
    requests,
    metrics: new DaemonMetrics(registry, web),
    gatewayMetrics: new GatewayMetrics(registry),
    recorderMetrics: new RecorderMetrics(registry),
    routes: new Router(operations),
    log,
    plugins,
    reports,
    loader,
    databases,
    signals,
    pdus,
    channelsOf: (selectors, caller) => events.resolve(selectors, caller),
    pages: new SignalPages(signals, turns),
  });
  const builder = new BuilderPool(() => startBuilder({ projectRoot }), onDefect);
  const instances = new ProjectInstances<PlainCaller>({
    clock,
    bench,
    builder,
    watches,
    selectorOf,
    pages: { project: gatewayTaskPage, manifest: simulationMessagePage },
    maxBytes: pageBytes,
  });
  bindGatewayOperations(dispatcher, { clock, builder, instances, watches });
  bindSimulationOperations(dispatcher, instances);
  const names: LiveNames<PlainCaller> = {
    channels: async () => (await bench.channelReports()).map(({ record }) => record),
    slotOf: (selector, caller) => events.slotOf(selector, caller),
    databasesOf: (slot) => databases.of(slot),
    pairsOf: (slot) => pdus.pairsOf(slot),
    checkedMessage: (...named) => instances.checkedMessage(...named),
  };
  bindConditionOperations(dispatcher, { clock, rings: { hub: events.hub, turns }, names });
  const liveChecks = new LiveChecks<PlainCaller>({
    source: { hub: events.hub, clock, turns, isOpen: (slot) => events.selectorOf(slot) !== '' },
    names,
    readCheckFile: async (file) => (await loader.remote).readCheckFile(file),
    filesOf: async (loaded) => (await loader.remote).loadedFiles(loaded),
  });
  bindCheckOperations(dispatcher, liveChecks);
  const messages = new NamedMessages<Caller>({
    slotOf: (channel, caller) => events.slotOf(channel, caller),
    attachedTo: (slot) => databases.of(slot),
    contents: (name) => databases.content(name),
  });
  const tasks = new NamedTasks<Caller>({
    messages,
    bench: {
      sourceOf: (taskId) => bench.taskSource(taskId),
      change: (taskId, change) => bench.changeTask(taskId, change),
      addAll: (channel, requests, caller) => bench.addTasks(channel, requests, plainCaller(caller)),
    },
    turns,
  });
  bindNamedTasks(dispatcher, tasks);
  const schedules = new NamedSchedules<Caller>({
    messages,
    bench: {
      check: (channel, caller) => bench.checkLinMaster(channel, plainCaller(caller)),
      start: (request, caller) => bench.startLinSchedule(request, plainCaller(caller)),
      idOf: (text, caller) => bench.linScheduleId(text, plainCaller(caller)),
      sourceOf: (id) => bench.linScheduleSource(id),
      change: (id, change) => bench.changeLinSchedule(id, change),
      list: () => bench.linSchedules(),
      stop: (id) => bench.stopLinSchedule(id),
    },
  });
  bindLinOperations(dispatcher, schedules, tasks);
  dispatcher
    .bindPreparation(messageSend, async (request, caller) => {
      const named = await prepareSend(request, caller, messages);
      if (named)
        return new PreparedCall(
          named.request,
          (sent) => named.complete(sent as SendRecord),
          named.refused,
        );
      return withCheckedList(request, {
        targetOf: async (selector) =>
          (await bench.channelReport(selector, plainCaller(caller))).record,
        maxFrames: batchLimit.listFrames,
      });
    })
    .bindPreparation(j1939Send, async (request, caller) => {
      const named = await prepareJ1939(request, caller, messages);
      if (!named) return request;
      return new PreparedCall(named.request, (sent) => named.complete(sent as J1939SendRecord));
    })
    .bindPreparation(j1939List, async (request, caller) => {
      const slots = await events.resolve(request.channel, caller);
      return new PreparedCall(request, (own) =>
        withNodes((own as J1939Addresses).claims, pdus.nodes(slots), slots),
      );
    })
    .forwardTo('bench', ({ id }, input, caller) =>
      bench.execute(id, input, plainCaller(caller), new CallControl(caller)),
    );

  // Channels outlive this thread, and so do their ECUs and attachments.
  void bench.reportEcus().catch(onDefect);
  void bench
    .channelReports()
    .then((reports) => databases.restore(reports.map(({ record }) => record)))
    .catch(onDefect);
  // Instances outlive this thread. A blocked one does not answer.
  void reports.ask().catch(() => undefined);
  void plugins.resume().catch(onDefect);
  void bench.clientStage('opening its socket');
  try {
    await ipc.listen();
  } catch (thrown) {
    // Without its socket the CLI cannot reach the daemon.
    await bench.clientFailed(BusbarError.from(thrown).toRecord());
    return;
  }
  ipc.keepListening();
  await web.resume(data.resumeWeb, {
    onBegin: () => void bench.clientStage('restoring its Web service'),
    onFailed: (error) => log.event('web_not_resumed', { error: error.toRecord() }),
  });
  await bench.clientReady();
};
