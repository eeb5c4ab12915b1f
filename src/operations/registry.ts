import { benchShow } from './bench.ts';
import {
  channelClose,
  channelConfigure,
  channelList,
  channelOpen,
  channelRecover,
  channelShow,
  channelStats,
} from './channel.ts';
import { daemonStart, daemonStatus, daemonStop } from './daemon.ts';
import { databaseList, databaseLoad, databaseShow, databaseUnload } from './database.ts';
import type { Operation } from './define.ts';
import { demo } from './demo.ts';
import { deviceFirmwareCheck, deviceList } from './device.ts';
import { doctor } from './doctor.ts';
import {
  gatewayFault,
  gatewayFaultEvents,
  gatewayFaults,
  gatewayLoad,
  gatewaySave,
  gatewaySchema,
  gatewaySet,
  gatewaySignals,
  gatewayStart,
  gatewayStatus,
  gatewayStop,
  gatewayUnload,
  gatewayValidate,
} from './gateway.ts';
import { gatewayFiles, gatewaySignal } from './gateway-details.ts';
import { gatewayImport } from './gateway-import.ts';
import { gatewayGraph, gatewayStream, gatewayWatch } from './gateway-watch.ts';
import { health } from './health.ts';
import { completion, help } from './help.ts';
import { jobList, jobShow } from './job.ts';
import { loggingStart, loggingStatus, loggingStop } from './logging.ts';
import {
  channelWake,
  messageHistory,
  messageRecv,
  messageSend,
  messageStream,
  messageWs,
} from './message.ts';
import { metrics } from './metrics.ts';
import {
  modbusPoll,
  modbusRead,
  modbusScan,
  modbusServe,
  modbusStatus,
  modbusStop,
  modbusWrite,
} from './modbus.ts';
import { modbusRegisters, modbusStream } from './modbus-stream.ts';
import { operationList, operationShow } from './operation.ts';
import { remoteStart, remoteStatus, remoteStop } from './remote-api.ts';
import { replayStart, replayStatus, replayStop } from './replay.ts';
import { routeAdd, routeList, routeRemove } from './route.ts';
import { capabilities, info, openapi } from './service.ts';
import {
  signalHistory,
  signalLatest,
  signalList,
  signalPlanCreate,
  signalPlanDelete,
  signalStream,
  signalWatch,
} from './signal.ts';
import {
  simulationList,
  simulationLoad,
  simulationSave,
  simulationSet,
  simulationSignals,
  simulationStart,
  simulationStatus,
  simulationStop,
  simulationUnload,
} from './simulation.ts';
import { stateStream } from './state-stream.ts';
import { traceConvert, traceInfo, traceSummary } from './trace.ts';
import { channelTraffic, channelTrafficStream } from './traffic.ts';
import { txTaskAdd, txTaskList, txTaskRemove } from './tx-task.ts';
import { execute, version } from './version.ts';
import { webStart, webStatus, webStop } from './web.ts';

/** Every operation there is. What is not in this list cannot be called, served or documented. */
export const operations: readonly Operation[] = [
  help,
  version,
  completion,
  doctor,
  demo,
  daemonStart,
  daemonStatus,
  daemonStop,
  webStart,
  webStatus,
  webStop,
  info,
  health,
  capabilities,
  openapi,
  metrics,
  operationList,
  operationShow,
  benchShow,
  deviceFirmwareCheck,
  deviceList,
  channelList,
  channelOpen,
  channelShow,
  channelConfigure,
  channelClose,
  channelRecover,
  channelWake,
  channelStats,
  channelTraffic,
  channelTrafficStream,
  stateStream,
  messageSend,
  messageHistory,
  messageRecv,
  messageStream,
  messageWs,
  txTaskAdd,
  txTaskList,
  txTaskRemove,
  routeAdd,
  routeList,
  routeRemove,
  modbusRead,
  modbusWrite,
  modbusPoll,
  modbusScan,
  modbusServe,
  modbusStop,
  modbusStatus,
  modbusRegisters,
  modbusStream,
  databaseLoad,
  databaseList,
  databaseShow,
  databaseUnload,
  gatewayValidate,
  gatewaySchema,
  gatewayFiles,
  gatewayImport,
  gatewayLoad,
  gatewayStart,
  gatewayStop,
  gatewayFaults,
  gatewayFaultEvents,
  gatewayFault,
  gatewayStatus,
  gatewaySignals,
  gatewaySignal,
  gatewaySet,
  gatewaySave,
  gatewayUnload,
  gatewayWatch,
  gatewayStream,
  gatewayGraph,
  simulationLoad,
  simulationList,
  simulationStatus,
  simulationStart,
  simulationStop,
  simulationSignals,
  simulationSet,
  simulationSave,
  simulationUnload,
  signalList,
  signalPlanCreate,
  signalPlanDelete,
  signalLatest,
  signalHistory,
  signalWatch,
  signalStream,
  loggingStart,
  loggingStatus,
  loggingStop,
  replayStart,
  replayStatus,
  replayStop,
  remoteStart,
  remoteStatus,
  remoteStop,
  traceInfo,
  traceSummary,
  traceConvert,
  jobList,
  jobShow,
  execute,
];
