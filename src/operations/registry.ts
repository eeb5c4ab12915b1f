import { Type } from 'typebox';
import { nullable } from '../base/schema/schemas.ts';
import { demoModbus } from '../demo/demo-bench.ts';
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
import { checkRun, checkStart } from './check.ts';
import { conditionCheck } from './condition.ts';
import { daemonStart, daemonStatus, daemonStop } from './daemon.ts';
import {
  databaseAttach,
  databaseDetach,
  databaseList,
  databaseLoad,
  databaseReload,
  databaseShow,
  databaseUnload,
} from './database.ts';
import { withDefault } from './defaults.ts';
import { defineOperation, type Operation } from './define.ts';
import { deviceFirmwareCheck, deviceList } from './device.ts';
import {
  isotpClose,
  isotpList,
  isotpOpen,
  isotpRequest,
  isotpSend,
  isotpShow,
  udsRequest,
} from './diagnostics.ts';
import { doctor } from './doctor.ts';
import { fileDelete, fileGet, filePut } from './file.ts';
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
import { j1939Claim, j1939List, j1939Release, j1939Send } from './j1939.ts';
import { jobCancel, jobList, jobShow } from './job.ts';
import {
  linScheduleList,
  linScheduleStart,
  linScheduleStop,
  linScheduleSwitch,
  linSet,
  linSimulate,
} from './lin.ts';
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
import { OperationDescription, operationList, operationShow } from './operation.ts';
import { pduHistory, pduStream, pduWatch } from './pdu.ts';
import {
  recorderAdd,
  recorderFile,
  recorderList,
  recorderRemove,
  recorderShow,
  recorderStart,
  recorderStop,
  recorderUpdate,
} from './recorder.ts';
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
import { ecuList, ecuServe, ecuStop } from './simulated-ecu.ts';
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
import {
  traceConvert,
  traceCut,
  traceDecode,
  traceDecodeJob,
  traceInfo,
  tracePdus,
  traceSignals,
  traceSummary,
} from './trace.ts';
import { channelTraffic, channelTrafficStream } from './traffic.ts';
import {
  txTaskAdd,
  txTaskImport,
  txTaskList,
  txTaskMessage,
  txTaskRemove,
  txTaskSet,
} from './tx-task.ts';
import {
  udsClear,
  udsCommunication,
  udsDtc,
  udsDtcSetting,
  udsFlash,
  udsIo,
  udsMemoryRead,
  udsMemoryWrite,
  udsRead,
  udsReset,
  udsRoutine,
  udsSecurity,
  udsSession,
  udsTesterPresent,
  udsWrite,
} from './uds.ts';
import { execute, version } from './version.ts';
import { WebStatus, webStart, webStatus, webStop } from './web.ts';

const DemoRecord = Type.Object({
  url: Type.String({ description: 'URL of the console' }),
  web: WebStatus,
  gateway: nullable(
    Type.String({
      description: 'Instance of the gateway project; null if the directory is not writable',
    }),
  ),
  modbus: nullable(
    Type.String({ description: 'Modbus endpoint of the gateway; null without a gateway' }),
  ),
});

const demo = defineOperation({
  id: 'demo',
  summary: 'Run a simulated vehicle and the console until interrupted',
  description:
    'Starts a daemon in the foreground with all ports of the virtual bench open; a simulated vehicle that sends on CAN FD and LIN; its database and signal plans for all of its messages; a gateway project between its two CAN networks that serves signals over Modbus TCP on 127.0.0.1:5020; and the Web service on 127.0.0.1:8080. If a port is in use, the next free one is used. The project is written to a new directory busbar-demo-… in the current directory. Ctrl-C stops everything and deletes that directory, unless it was edited.',
  parameters: {
    port: withDefault(
      Type.Integer({
        description: 'First port to try for the console; 0 selects any free port',
        minimum: 0,
        maximum: 65535,
        examples: [8080],
      }),
      8080,
    ),
    modbus_port: withDefault(
      Type.Integer({
        description: 'First port to try for Modbus TCP',
        minimum: 1,
        maximum: 65535,
        examples: [demoModbus.port],
      }),
      demoModbus.port,
    ),
  },
  result: DemoRecord,
  errors: ['already_running', 'address_in_use', 'modbus_unreachable', 'daemon_start_failed'],
  permission: 'administer',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['demo'] },
  http: { none: 'Runs in the terminal that it was started in' },
});

const words = 'Describes the command line';

export const help = defineOperation({
  id: 'help',
  summary: 'Describe all commands, one category, or one command',
  parameters: {
    category: Type.Optional(
      Type.String({ description: 'First word of a command', examples: ['web'] }),
    ),
    action: Type.Optional(
      Type.String({ description: 'Second word of a command', examples: ['start'] }),
    ),
    detail: Type.Optional(
      Type.String({ description: 'Third word of a command, if it has one', examples: ['create'] }),
    ),
  },
  result: Type.Union([
    OperationDescription,
    Type.Object({ operations: Type.Array(OperationDescription) }),
  ]),
  errors: ['unknown_command'],
  permission: 'observe',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['help'], positionals: ['category', 'action', 'detail'] },
  http: { none: `${words}; see GET /api/v1/operations` },
  examples: ['busbar help', 'busbar help web start', 'busbar help web start --format=json'],
});

const completion = defineOperation({
  id: 'completion',
  summary: 'Print a shell completion script',
  parameters: {
    shell: Type.Enum(['bash', 'zsh', 'fish'], {
      description: 'Shell to generate the script for',
      examples: ['bash'],
    }),
  },
  result: Type.String({ description: 'Source it from the shell’s startup file' }),
  errors: [],
  permission: 'observe',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['completion'], positionals: ['shell'] },
  http: { none: words },
  examples: ['source <(busbar completion bash)'],
});

/** All operations. Nothing else can be called, served or documented. */
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
  conditionCheck,
  txTaskAdd,
  txTaskList,
  txTaskSet,
  txTaskMessage,
  txTaskImport,
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
  databaseReload,
  databaseAttach,
  databaseDetach,
  databaseUnload,
  gatewayValidate,
  gatewaySchema,
  gatewayFiles,
  fileGet,
  filePut,
  fileDelete,
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
  pduWatch,
  pduHistory,
  pduStream,
  j1939Send,
  j1939Claim,
  j1939List,
  j1939Release,
  isotpList,
  isotpOpen,
  isotpShow,
  isotpClose,
  isotpRequest,
  isotpSend,
  udsRequest,
  udsSession,
  udsReset,
  udsRead,
  udsWrite,
  udsDtc,
  udsClear,
  udsRoutine,
  udsSecurity,
  udsCommunication,
  udsDtcSetting,
  udsIo,
  udsMemoryRead,
  udsMemoryWrite,
  udsTesterPresent,
  udsFlash,
  ecuServe,
  ecuList,
  ecuStop,
  linScheduleStart,
  linScheduleList,
  linScheduleSwitch,
  linScheduleStop,
  linSet,
  linSimulate,
  loggingStart,
  loggingStatus,
  loggingStop,
  recorderAdd,
  recorderList,
  recorderShow,
  recorderUpdate,
  recorderStart,
  recorderStop,
  recorderRemove,
  recorderFile,
  replayStart,
  replayStatus,
  replayStop,
  remoteStart,
  remoteStatus,
  remoteStop,
  traceInfo,
  traceSummary,
  traceConvert,
  traceCut,
  tracePdus,
  traceSignals,
  traceDecode,
  traceDecodeJob,
  checkRun,
  checkStart,
  jobList,
  jobShow,
  jobCancel,
  execute,
];
