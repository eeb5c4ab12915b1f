import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import { isLive } from '../../check/live/live-checks.ts';
import type { ModbusService } from '../../modbus/service/modbus-service.ts';
import { benchShow } from '../../operations/bench.ts';
import {
  channelClose,
  channelConfigure,
  channelList,
  channelOpen,
  channelRecover,
  channelShow,
} from '../../operations/channel.ts';
import { checkStart } from '../../operations/check.ts';
import { deviceFirmwareCheck, deviceList } from '../../operations/device.ts';
import { type Caller, type Dispatcher, plainCaller } from '../../operations/dispatcher.ts';
import { j1939Claim, j1939List, j1939Release, j1939Send } from '../../operations/j1939.ts';
import { jobCancel, jobList, jobShow } from '../../operations/job.ts';
import { maxBatch, maxScanMs } from '../../operations/limits.ts';
import { loggingStart, loggingStatus, loggingStop } from '../../operations/logging.ts';
import { channelWake, messageSend } from '../../operations/message.ts';
import {
  modbusPoll,
  modbusRead,
  modbusScan,
  modbusServe,
  modbusStatus,
  modbusStop,
  modbusWrite,
} from '../../operations/modbus.ts';
import { modbusRegisters } from '../../operations/modbus-stream.ts';
import {
  recorderAdd,
  recorderList,
  recorderRemove,
  recorderShow,
  recorderStart,
  recorderStop,
  recorderUpdate,
} from '../../operations/recorder.ts';
import { remoteStart, remoteStatus, remoteStop } from '../../operations/remote-api.ts';
import { replayStart, replayStatus, replayStop } from '../../operations/replay.ts';
import { routeAdd, routeList, routeRemove } from '../../operations/route.ts';
import { traceDecodeJob } from '../../operations/trace.ts';
import { channelTraffic } from '../../operations/traffic.ts';
import { txTaskAdd, txTaskList, txTaskRemove } from '../../operations/tx-task.ts';
import type { AddressClaims } from '../../pdu/transmit/address-claims.ts';
import type { J1939Sender } from '../../pdu/transmit/j1939-sender.ts';
import type { LoggingService } from '../../recording/service/logging-service.ts';
import type { RecorderBench } from '../../recording/service/named-recorder.ts';
import type { RecorderService } from '../../recording/service/recorder-service.ts';
import type { RemoteService } from '../../remote/service/remote-service.ts';
import { forwardChannels } from '../../remote/service/remote-service.ts';
import type { ReplayService } from '../../transmit/replay/replay-service.ts';
import { channelMappings } from '../../transmit/replay/replay-service.ts';
import type { Routes } from '../../transmit/routes/routes.ts';
import type { Sender } from '../../transmit/sender.ts';
import type { TxTasks } from '../../transmit/tasks/tx-tasks.ts';
import type { FirmwareChecks } from '../jobs/firmware-checks.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { LiveCheckJobs } from '../jobs/live-check-jobs.ts';
import type { TraceJobs } from '../jobs/trace-jobs.ts';

interface BenchContext {
  readonly channels: ChannelTable;
  readonly sender: Sender;
  readonly j1939: J1939Sender;
  readonly claims: AddressClaims;
  readonly jobs: JobRunner;
  readonly firmware: FirmwareChecks;
  readonly traces: TraceJobs;
  readonly liveChecks: LiveCheckJobs;
  readonly txTasks: TxTasks;
  readonly routes: Routes;
  readonly replay: ReplayService;
  readonly remote: RemoteService;
  readonly logging: LoggingService;
  readonly recorders: RecorderService;
  readonly recorderBench: (caller: Caller) => RecorderBench;
  readonly modbus: ModbusService;
  readonly follow: (selectors: readonly string[], caller: Caller) => Promise<readonly number[]>;
  readonly benchOf: (caller: Caller) => BenchSource;
  readonly isOwnBench: (caller: Caller) => boolean;
}

export const bindBenchOperations = (dispatcher: Dispatcher, context: BenchContext): void => {
  bindChannelOperations(dispatcher, context);
  bindTransmitOperations(dispatcher, context);
  bindReplayOperations(dispatcher, context);
  bindRemoteOperations(dispatcher, context);
  bindLoggingOperations(dispatcher, context);
  bindRecorderOperations(dispatcher, context);
  bindModbusOperations(dispatcher, context);
  bindJ1939Operations(dispatcher, context);
};

type Channels =
  | ('channels' | 'sender' | 'jobs' | 'firmware' | 'traces' | 'liveChecks')
  | ('benchOf' | 'isOwnBench');

const bindChannelOperations = (
  dispatcher: Dispatcher,
  context: Pick<BenchContext, Channels>,
): void => {
  const { channels, sender, jobs, firmware, traces, liveChecks, benchOf, isOwnBench } = context;
  dispatcher
    .bind(jobList, () => ({ jobs: [...jobs.list()] }))
    .bind(jobShow, ({ arguments: { job_id } }) => jobs.get(job_id))
    .bind(jobCancel, ({ arguments: { job_id } }) => jobs.cancel(job_id))
    .bind(traceDecodeJob, ({ arguments: request }) => traces.queueDecode(request))
    .bind(checkStart, ({ arguments: request, caller }) =>
      isLive(request) ? liveChecks.queue(request, plainCaller(caller)) : traces.queueCheck(request),
    )
    .bind(benchShow, ({ caller }) => benchOf(caller)())
    .bind(deviceList, async () => ({ devices: await channels.devices() }))
    .bind(deviceFirmwareCheck, ({ arguments: { selector }, caller }) =>
      firmware.queue(selector, benchOf(caller)),
    )
    .bind(channelList, () => ({ channels: channels.channels.map((channel) => channel.record()) }))
    .bind(channelTraffic, ({ arguments: { after_us } }) => ({
      channels: channels.channels.map((channel) => channel.traffic(after_us)),
    }))
    .bind(channelOpen, ({ arguments: request, caller }) =>
      channels.open(request, benchOf(caller), { isOwnBench: isOwnBench(caller) }),
    )
    .bind(channelShow, async ({ arguments: { selector }, caller }) =>
      (await channels.find(selector, benchOf(caller))).channel.record(),
    )
    .bind(channelConfigure, ({ arguments: { selector, ...change }, caller }) =>
      channels.configure(selector, change, benchOf(caller)),
    )
    .bind(channelClose, ({ arguments: { selector }, caller }) =>
      channels.close(selector, benchOf(caller)),
    )
    .bind(channelRecover, ({ arguments: { selector }, caller }) =>
      channels.recover(selector, benchOf(caller)),
    )
    .bind(channelWake, async ({ arguments: { selector, ...request }, caller }) => {
      const found = await channels.use(selector, benchOf(caller));
      return sender.wakeUp(found, request, { signal: caller.signal });
    })
    .bind(messageSend, async ({ arguments: request, caller }) => {
      const found = await channels.use(request.channel, benchOf(caller));
      return sender.send(found, request, {
        ...maxBatch[caller.face],
        onProgress: caller.report,
        signal: caller.signal,
      });
    });
};

export const bindTransmitOperations = (
  dispatcher: Dispatcher,
  { txTasks, routes, benchOf }: Pick<BenchContext, 'txTasks' | 'routes' | 'benchOf'>,
): void => {
  dispatcher
    .bind(txTaskAdd, ({ arguments: request, caller }) => txTasks.add(request, benchOf(caller)))
    .bind(txTaskList, () => ({ tx_tasks: txTasks.list() }))
    .bind(txTaskRemove, ({ arguments: { task_id } }) => txTasks.remove(task_id))
    .bind(routeAdd, ({ arguments: request, caller }) => routes.add(request, benchOf(caller)))
    .bind(routeList, () => ({ routes: routes.list() }))
    .bind(routeRemove, ({ arguments: { route_id } }) => routes.remove(route_id));
};

type Replay = Pick<BenchContext, 'replay' | 'benchOf'> & {
  readonly channels: Pick<ChannelTable, 'use'>;
};

export const bindReplayOperations = (
  dispatcher: Dispatcher,
  { replay, channels: table, benchOf }: Replay,
): void => {
  dispatcher
    .bind(replayStart, ({ arguments: { channels, map, ...request }, caller }) =>
      replay.start({ ...request, channels: channelMappings(channels, map) }, (selector) =>
        table.use(selector, benchOf(caller)),
      ),
    )
    .bind(replayStatus, () => replay.status())
    .bind(replayStop, () => replay.stop());
};

export const bindRemoteOperations = (
  dispatcher: Dispatcher,
  { remote, channels, benchOf }: Pick<BenchContext, 'remote' | 'channels' | 'benchOf'>,
): void => {
  dispatcher
    .bind(remoteStart, ({ arguments: request, given, caller }) =>
      remote.start({
        listen: request.listen,
        peers: request.peer,
        channels: () => forwardChannels(channels, request.channels, benchOf(caller)),
        maxAgeMs: request.max_age_ms,
        bufferUs: request.buffer_us,
        isBufferGiven: given.has('buffer_us'),
      }),
    )
    .bind(remoteStatus, () => remote.status())
    .bind(remoteStop, () => remote.stop());
};

const bindLoggingOperations = (
  dispatcher: Dispatcher,
  { logging, follow }: Pick<BenchContext, 'logging' | 'follow'>,
): void => {
  dispatcher
    .bind(loggingStart, ({ arguments: request, given, caller }) =>
      logging.start({ ...request, isFormatGiven: given.has('format') }, (selectors) =>
        follow(selectors, caller),
      ),
    )
    .bind(loggingStatus, () => logging.status())
    .bind(loggingStop, () => logging.stop());
};

const bindRecorderOperations = (
  dispatcher: Dispatcher,
  { recorders, recorderBench }: Pick<BenchContext, 'recorders' | 'recorderBench'>,
): void => {
  dispatcher
    .bind(recorderAdd, ({ arguments: { name, ...entry }, caller }) =>
      recorders.add(name, entry, recorderBench(caller)),
    )
    .bind(recorderList, async () => ({ recorders: await recorders.list() }))
    .bind(recorderShow, ({ arguments: { name } }) => recorders.show(name))
    .bind(recorderUpdate, ({ arguments: { name, ...change }, caller }) =>
      recorders.change(name, change, recorderBench(caller)),
    )
    .bind(recorderStart, ({ arguments: { name } }) => recorders.start(name))
    .bind(recorderStop, ({ arguments: { name } }) => recorders.stop(name))
    .bind(recorderRemove, ({ arguments: { name } }) => recorders.remove(name));
};

const bindModbusOperations = (
  dispatcher: Dispatcher,
  { modbus, benchOf }: Pick<BenchContext, 'modbus' | 'benchOf'>,
): void => {
  const { polls, requests, scans, servers } = modbus;
  dispatcher
    .bind(modbusRead, ({ arguments: request, caller }) =>
      requests.read(request, benchOf(caller), caller.signal),
    )
    .bind(modbusWrite, ({ arguments: request, caller }) =>
      requests.write(request, benchOf(caller), caller.signal),
    )
    .bindSource(modbusPoll, ({ arguments: request, caller }, signal, emit) =>
      polls.poll(request, benchOf(caller), signal, emit),
    )
    .bind(modbusScan, ({ arguments: request, caller }) => {
      const { signal, report, face } = caller;
      return scans.scan(request, benchOf(caller), { signal, report, maxMs: maxScanMs[face] });
    })
    .bind(modbusServe, ({ arguments: request, caller }) => servers.serve(request, benchOf(caller)))
    .bind(modbusStop, ({ arguments: request, caller }) => servers.stop(request, benchOf(caller)))
    .bind(modbusRegisters, ({ arguments: request, caller }) =>
      servers.registers(request, benchOf(caller)),
    )
    .bind(modbusStatus, () => modbus.status());
};

const bindJ1939Operations = (
  dispatcher: Dispatcher,
  {
    j1939,
    claims,
    channels,
    benchOf,
  }: Pick<BenchContext, 'j1939' | 'claims' | 'channels' | 'benchOf'>,
): void => {
  dispatcher
    .bind(j1939Send, async ({ arguments: { channel, ...request }, caller }) =>
      j1939.send(await channels.use(channel, benchOf(caller)), request, caller.signal),
    )
    .bind(j1939Claim, async ({ arguments: { channel, ...request }, caller }) =>
      claims.add(await channels.use(channel, benchOf(caller)), request, caller.signal),
    )
    // The client thread adds the nodes.
    .bind(j1939List, () => ({ claims: claims.list(), nodes: [] }))
    .bind(j1939Release, ({ arguments: { claim_id } }) => claims.remove(claim_id));
};
