import { invalidArgument } from '../base/errors/busbar-error.ts';
import { formatHex, hexByte, hexDigits } from '../frame/hex-bytes.ts';
import { uint16At, uintBytes } from './big-endian.ts';
import { expectResponse, malformed } from './read-response.ts';
import { sid, suppressBit } from './services.ts';
import type {
  UdsCommunication,
  UdsDtcSetting,
  UdsReset,
  UdsRoutine,
  UdsSecurity,
  UdsSession,
} from './uds-record.ts';

/** Sub-functions by word; every other one is given as a number. */
export const sessions = { default: 1, programming: 2, extended: 3 } as const;
export const resets = { hard: 1, key: 2, soft: 3 } as const;
export const communicationControls = {
  'enable-rx-tx': 0,
  'enable-rx': 1,
  'enable-tx': 2,
  'disable-rx-tx': 3,
} as const;
export const dtcSettings = { on: 1, off: 2 } as const;
export const routineActions = { start: 1, stop: 2, result: 3 } as const;

type OrNumber<Words> = keyof Words | number;

const subFunctionOf = (
  words: Readonly<Record<string, number>>,
  given: string | number,
  field: string,
): number => {
  const value = typeof given === 'number' ? given : words[given];
  if (value !== undefined && Number.isInteger(value) && value >= 0 && value < suppressBit) {
    return value;
  }
  const known = Object.keys(words).join(', ');
  throw invalidArgument(field, `${field} must be ${known} or a number from 0 to 127`);
};

const withSuppress = (subFunction: number, isSuppressed: boolean | undefined): number =>
  isSuppressed === true ? subFunction | suppressBit : subFunction;

/** The sub-function of a response, which repeats that of its request. */
const echoOf = (response: Uint8Array, request: Uint8Array): number => {
  const echo = response[1] as number;
  const asked = (request[1] as number) & ~suppressBit;
  if (echo !== asked) throw malformed(response, `has sub-function 0x${hexByte(echo)}`);
  return echo;
};

export const sessionRequest = (
  session: OrNumber<typeof sessions>,
  isSuppressed?: boolean,
): Uint8Array => {
  const subFunction = subFunctionOf(sessions, session, 'session');
  return Uint8Array.of(sid.session, withSuppress(subFunction, isSuppressed));
};

/** P2* is in units of 10 ms. Older servers send no times. */
export const sessionResponse = (request: Uint8Array, response: Uint8Array): UdsSession => {
  expectResponse(response, sid.session, 2);
  const session = echoOf(response, request);
  if (response.length === 2) return { session, p2_ms: null, p2_star_ms: null };
  if (response.length < 6) throw malformed(response, `has ${response.length} of 6 bytes`);
  return { session, p2_ms: uint16At(response, 2), p2_star_ms: 10 * uint16At(response, 4) };
};

export const resetRequest = (reset: OrNumber<typeof resets>, isSuppressed?: boolean): Uint8Array =>
  Uint8Array.of(sid.reset, withSuppress(subFunctionOf(resets, reset, 'reset'), isSuppressed));

export const resetResponse = (request: Uint8Array, response: Uint8Array): UdsReset => {
  expectResponse(response, sid.reset, 2, 3);
  return { reset: echoOf(response, request), power_down_time_s: response[2] ?? null };
};

export const testerPresentRequest = (isSuppressed: boolean): Uint8Array =>
  Uint8Array.of(sid.testerPresent, withSuppress(0, isSuppressed));

/** Levels are odd: the sub-function that requests the seed. */
const requireLevel = (level: number): void => {
  if (Number.isInteger(level) && level % 2 === 1 && level >= 1 && level <= 0x7d) return;
  throw invalidArgument('level', 'level must be an odd number from 1 to 125');
};

/** `parameter` is the optional securityAccessDataRecord. */
export const seedRequest = (
  level: number,
  parameter: Uint8Array = new Uint8Array(),
): Uint8Array => {
  requireLevel(level);
  return Uint8Array.from([sid.security, level, ...parameter]);
};

export const keyRequest = (level: number, key: Uint8Array): Uint8Array => {
  requireLevel(level);
  return Uint8Array.from([sid.security, level + 1, ...key]);
};

/** Reads the response to a seed request or a key. */
export const securityResponse = (request: Uint8Array, response: Uint8Array): UdsSecurity => {
  const isSeed = (request[1] as number) % 2 === 1;
  expectResponse(response, sid.security, 2);
  const subFunction = echoOf(response, request);
  if (!isSeed) return { level: subFunction - 1, seed: null, unlocked: true };
  const seed = response.subarray(2);
  if (seed.length === 0) throw malformed(response, 'has no seed');
  const unlocked = seed.every((byte) => byte === 0);
  return { level: subFunction, seed: formatHex(seed), unlocked };
};

/** Communication types by word: bit 0 normal messages, bit 1 network management. */
export const communicationTypes = { normal: 1, network: 2, both: 3 } as const;

export interface CommunicationRequest {
  readonly control: OrNumber<typeof communicationControls>;
  readonly type?: OrNumber<typeof communicationTypes> | undefined;
  /** Node identification number of controls 4 and 5. */
  readonly node?: number | undefined;
  readonly suppress?: boolean | undefined;
}

export const communicationRequest = ({
  control,
  type = 'normal',
  node,
  suppress,
}: CommunicationRequest): Uint8Array => {
  const subFunction = subFunctionOf(communicationControls, control, 'control');
  const needsNode = subFunction === 4 || subFunction === 5;
  if (needsNode !== (node !== undefined)) {
    throw invalidArgument('node', 'node is required for the controls 4 and 5, and only for them');
  }
  const types = typeof type === 'number' ? type : communicationTypes[type];
  return Uint8Array.from([
    sid.communication,
    withSuppress(subFunction, suppress),
    types,
    ...(node === undefined ? [] : uintBytes(node, 2)),
  ]);
};

export const communicationResponse = (
  request: Uint8Array,
  response: Uint8Array,
): UdsCommunication => {
  expectResponse(response, sid.communication, 2, 2);
  return { control: echoOf(response, request) };
};

export const dtcSettingRequest = (
  setting: OrNumber<typeof dtcSettings>,
  isSuppressed?: boolean,
): Uint8Array => {
  const subFunction = subFunctionOf(dtcSettings, setting, 'setting');
  return Uint8Array.of(sid.dtcSetting, withSuppress(subFunction, isSuppressed));
};

export const dtcSettingResponse = (request: Uint8Array, response: Uint8Array): UdsDtcSetting => {
  expectResponse(response, sid.dtcSetting, 2, 2);
  return { setting: echoOf(response, request) };
};

export interface RoutineRequest {
  readonly action: keyof typeof routineActions;
  /** 0 to 0xFFFF. */
  readonly routine: number;
  readonly data?: Uint8Array | undefined;
}

export const routineRequest = ({
  action,
  routine,
  data = new Uint8Array(),
}: RoutineRequest): Uint8Array =>
  Uint8Array.from([sid.routine, routineActions[action], ...uintBytes(routine, 2), ...data]);

export const routineResponse = (request: Uint8Array, response: Uint8Array): UdsRoutine => {
  expectResponse(response, sid.routine, 4);
  const subFunction = echoOf(response, request);
  const routine = uint16At(response, 2);
  if (routine !== uint16At(request, 2)) {
    throw malformed(response, `names routine ${hexDigits(routine, 4)}`);
  }
  const action = (['start', 'stop', 'result'] as const)[subFunction - 1];
  if (action === undefined) throw malformed(response, `has sub-function 0x${hexByte(subFunction)}`);
  return { routine: hexDigits(routine, 4), action, data: formatHex(response.subarray(4)) };
};
