/** Service identifiers (ISO 14229-1, table 2). */
export const sid = {
  session: 0x10,
  reset: 0x11,
  clearDtcs: 0x14,
  readDtcs: 0x19,
  readDids: 0x22,
  readMemory: 0x23,
  security: 0x27,
  communication: 0x28,
  writeDid: 0x2e,
  ioControl: 0x2f,
  routine: 0x31,
  download: 0x34,
  upload: 0x35,
  transfer: 0x36,
  transferExit: 0x37,
  writeMemory: 0x3d,
  testerPresent: 0x3e,
  dtcSetting: 0x85,
} as const;

export const negativeResponse = 0x7f;
export const responseBit = 0x40;
/** Bit of a sub-function: no positive response wanted. */
export const suppressBit = 0x80;

interface Service {
  readonly name: string;
  /** Names of sub-functions; absent for services without a sub-function byte. */
  readonly subFunctions?: Readonly<Record<number, string>>;
}

const services: Readonly<Record<number, Service>> = {
  16: {
    name: 'DiagnosticSessionControl',
    subFunctions: { 1: 'default', 2: 'programming', 3: 'extended', 4: 'safety system' },
  },
  17: {
    name: 'ECUReset',
    subFunctions: {
      1: 'hard',
      2: 'key off on',
      3: 'soft',
      4: 'enable rapid power shutdown',
      5: 'disable rapid power shutdown',
    },
  },
  20: { name: 'ClearDiagnosticInformation' },
  25: {
    name: 'ReadDTCInformation',
    subFunctions: {
      1: 'number of DTCs by status mask',
      2: 'DTCs by status mask',
      3: 'snapshot identification',
      4: 'snapshot by DTC',
      5: 'stored data by record',
      6: 'extended data by DTC',
      7: 'number of DTCs by severity mask',
      8: 'DTCs by severity mask',
      9: 'severity of DTC',
      10: 'supported DTCs',
      11: 'first test failed DTC',
      12: 'first confirmed DTC',
      13: 'most recent test failed DTC',
      14: 'most recent confirmed DTC',
      20: 'fault detection counters',
      21: 'permanent DTCs',
      22: 'extended data by record',
      23: 'user memory DTCs by status mask',
      24: 'user memory snapshot by DTC',
      25: 'user memory extended data by DTC',
      66: 'WWH-OBD DTCs by mask',
      85: 'WWH-OBD permanent DTCs',
    },
  },
  34: { name: 'ReadDataByIdentifier' },
  35: { name: 'ReadMemoryByAddress' },
  36: { name: 'ReadScalingDataByIdentifier' },
  39: { name: 'SecurityAccess', subFunctions: {} },
  40: {
    name: 'CommunicationControl',
    subFunctions: {
      0: 'enable rx and tx',
      1: 'enable rx, disable tx',
      2: 'disable rx, enable tx',
      3: 'disable rx and tx',
      4: 'enable rx, disable tx with address',
      5: 'enable rx and tx with address',
    },
  },
  41: { name: 'Authentication', subFunctions: { 0: 'deauthenticate', 8: 'configuration' } },
  42: { name: 'ReadDataByPeriodicIdentifier' },
  44: {
    name: 'DynamicallyDefineDataIdentifier',
    subFunctions: { 1: 'by identifier', 2: 'by memory address', 3: 'clear' },
  },
  46: { name: 'WriteDataByIdentifier' },
  47: { name: 'InputOutputControlByIdentifier' },
  49: { name: 'RoutineControl', subFunctions: { 1: 'start', 2: 'stop', 3: 'result' } },
  52: { name: 'RequestDownload' },
  53: { name: 'RequestUpload' },
  54: { name: 'TransferData' },
  55: { name: 'RequestTransferExit' },
  56: { name: 'RequestFileTransfer' },
  61: { name: 'WriteMemoryByAddress' },
  62: { name: 'TesterPresent', subFunctions: { 0: '' } },
  131: { name: 'AccessTimingParameter', subFunctions: {} },
  132: { name: 'SecuredDataTransmission' },
  133: { name: 'ControlDTCSetting', subFunctions: { 1: 'on', 2: 'off' } },
  134: { name: 'ResponseOnEvent', subFunctions: {} },
  135: { name: 'LinkControl', subFunctions: {} },
};

/** Legislated diagnostics on the same identifiers (ISO 15031-5). */
const obdServices: Readonly<Record<number, string>> = {
  1: 'OBD current data',
  2: 'OBD freeze frame',
  3: 'OBD stored DTCs',
  4: 'OBD clear DTCs',
  5: 'OBD oxygen sensor results',
  6: 'OBD monitoring results',
  7: 'OBD pending DTCs',
  8: 'OBD control',
  9: 'OBD vehicle information',
  10: 'OBD permanent DTCs',
};

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');

export const serviceName = (service: number): string =>
  services[service]?.name ?? obdServices[service] ?? `service 0x${hex(service)}`;

export const isKnownService = (service: number): boolean =>
  service in services || service in obdServices;

/** Whether the second byte is a sub-function, whose bit 7 suppresses the positive response. */
export const hasSubFunction = (service: number): boolean =>
  services[service]?.subFunctions !== undefined;

/** Name of a sub-function without the suppress bit; empty if there is nothing to say. */
export const subFunctionName = (service: number, subFunction: number): string => {
  const value = subFunction & ~suppressBit;
  if (service === sid.security) {
    if (value === 0) return `0x${hex(value)}`;
    return value % 2 === 1 ? `request seed, level ${value}` : `send key, level ${value - 1}`;
  }
  return services[service]?.subFunctions?.[value] ?? `0x${hex(value)}`;
};

/** Whether a request asks for no positive response. */
export const isSuppressed = (request: Uint8Array): boolean =>
  request.length > 1 &&
  hasSubFunction(request[0] as number) &&
  ((request[1] as number) & suppressBit) !== 0;
