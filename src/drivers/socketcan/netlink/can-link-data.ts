import {
  attribute,
  halfWord,
  readAttributes,
  readNumber,
  readNumbers,
  readText,
  words,
} from './attributes.ts';

const key = {
  bitTiming: 1,
  bitTimingLimits: 2,
  clock: 3,
  state: 4,
  modes: 5,
  restartMs: 6,
  restart: 7,
  errorCounters: 8,
  dataBitTiming: 9,
  dataBitTimingLimits: 10,
  termination: 11,
  terminations: 12,
  bitrates: 13,
  dataBitrates: 14,
  bitrateMax: 15,
  modeDetails: 17,
} as const;
const supportedModes = 1;

export const canMode = {
  loopback: 0x1,
  listenOnly: 0x2,
  tripleSampling: 0x4,
  oneShot: 0x8,
  busErrorReporting: 0x10,
  fd: 0x20,
  presumeAck: 0x40,
  fdNonIso: 0x80,
  classicDlc: 0x100,
} as const;

export const canStates = [
  'error_active',
  'error_warning',
  'error_passive',
  'bus_off',
  'stopped',
  'sleeping',
] as const;
export type CanLinkState = (typeof canStates)[number];

/**
 * Bit timing as the kernel represents it: one quantum for the sync segment, then these. The
 * rate and the sample point, in thousandths, follow from them. Controllers with fixed rates
 * have only rate and sample point.
 */
export interface KernelBitTiming {
  readonly bitrate: number;
  readonly samplePoint: number;
  readonly quantum: number;
  readonly propagation: number;
  readonly phase1: number;
  readonly phase2: number;
  readonly sjw: number;
  readonly prescaler: number;
}

export interface BitTimingLimits {
  readonly name: string;
  readonly tseg1: readonly [min: number, max: number];
  readonly tseg2: readonly [min: number, max: number];
  readonly sjwMax: number;
  readonly prescaler: readonly [min: number, max: number];
  readonly prescalerStep: number;
}

export interface CanLinkData {
  readonly state: CanLinkState;
  readonly modes: number;
  /** Undefined on old kernels. */
  readonly supportedModes: number | undefined;
  readonly restartMs: number;
  readonly clockHz: number | undefined;
  readonly bitTiming: KernelBitTiming | undefined;
  readonly bitTimingLimits: BitTimingLimits | undefined;
  readonly dataBitTiming: KernelBitTiming | undefined;
  readonly dataBitTimingLimits: BitTimingLimits | undefined;
  readonly bitrates: readonly number[];
  readonly dataBitrates: readonly number[];
  /** Transceiver limit, or undefined. */
  readonly bitrateMax: number | undefined;
  /** Ohms, 0 for off; undefined if not switchable. */
  readonly termination: number | undefined;
  readonly terminations: readonly number[];
  readonly errorCounters: { readonly tx: number; readonly rx: number } | undefined;
}

const readTiming = (bytes: Buffer | undefined): KernelBitTiming | undefined => {
  const [bitrate, samplePoint, quantum, propagation, phase1, phase2, sjw, prescaler] = readNumbers(
    bytes,
    4,
  );
  // A controller that was never configured has no timing or zeros.
  if (!bitrate || prescaler === undefined) return undefined;
  return {
    bitrate,
    samplePoint: samplePoint ?? 0,
    quantum: quantum ?? 0,
    propagation: propagation ?? 0,
    phase1: phase1 ?? 0,
    phase2: phase2 ?? 0,
    sjw: sjw ?? 0,
    prescaler,
  };
};

const nameLength = 16;

const readLimits = (bytes: Buffer | undefined): BitTimingLimits | undefined => {
  if (bytes === undefined || bytes.length < nameLength + 32) return undefined;
  const at = (index: number): number => bytes.readUInt32LE(nameLength + 4 * index);
  return {
    name: readText(bytes.subarray(0, nameLength)) ?? '',
    tseg1: [at(0), at(1)],
    tseg2: [at(2), at(3)],
    sjwMax: at(4),
    prescaler: [at(5), at(6)],
    prescalerStep: at(7),
  };
};

const readErrorCounters = (bytes: Buffer | undefined): CanLinkData['errorCounters'] => {
  const [tx, rx] = readNumbers(bytes, 2);
  return tx === undefined || rx === undefined ? undefined : { tx, rx };
};

export const readCanLinkData = (bytes: Buffer): CanLinkData => {
  const values = readAttributes(bytes);
  const details = values.get(key.modeDetails);
  return {
    state: canStates[readNumber(values.get(key.state)) ?? 0] ?? 'stopped',
    modes: readNumbers(values.get(key.modes), 4)[1] ?? 0,
    supportedModes: details && readNumber(readAttributes(details).get(supportedModes)),
    restartMs: readNumber(values.get(key.restartMs)) ?? 0,
    clockHz: readNumber(values.get(key.clock)) || undefined,
    bitTiming: readTiming(values.get(key.bitTiming)),
    bitTimingLimits: readLimits(values.get(key.bitTimingLimits)),
    dataBitTiming: readTiming(values.get(key.dataBitTiming)),
    dataBitTimingLimits: readLimits(values.get(key.dataBitTimingLimits)),
    bitrates: readNumbers(values.get(key.bitrates), 4),
    dataBitrates: readNumbers(values.get(key.dataBitrates), 4),
    bitrateMax: readNumber(values.get(key.bitrateMax)) || undefined,
    termination: readNumber(values.get(key.termination)),
    terminations: readNumbers(values.get(key.terminations), 2),
    errorCounters: readErrorCounters(values.get(key.errorCounters)),
  };
};

export type WantedTiming =
  | { readonly bitrate: number; readonly samplePoint?: number }
  | Omit<KernelBitTiming, 'bitrate' | 'samplePoint' | 'prescaler'>;

export interface CanLinkChange {
  readonly bitTiming?: WantedTiming;
  readonly dataBitTiming?: WantedTiming;
  readonly modes?: { readonly mask: number; readonly flags: number };
  readonly restartMs?: number;
  readonly restart?: true;
  readonly termination?: number;
}

/** The kernel rejects a rate together with quanta. */
const timingWords = (timing: WantedTiming): Buffer => {
  if ('bitrate' in timing) {
    return words(timing.bitrate, timing.samplePoint ?? 0, 0, 0, 0, 0, 0, 0);
  }
  const { quantum, propagation, phase1, phase2, sjw } = timing;
  return words(0, 0, quantum, propagation, phase1, phase2, sjw, 0);
};

export const canLinkAttributes = (change: CanLinkChange): readonly Buffer[] => {
  const { bitTiming, dataBitTiming, modes, restartMs, restart, termination } = change;
  return [
    bitTiming && attribute(key.bitTiming, timingWords(bitTiming)),
    dataBitTiming && attribute(key.dataBitTiming, timingWords(dataBitTiming)),
    modes && attribute(key.modes, words(modes.mask, modes.flags)),
    restartMs === undefined ? undefined : attribute(key.restartMs, words(restartMs)),
    restart && attribute(key.restart, words(1)),
    termination === undefined ? undefined : attribute(key.termination, halfWord(termination)),
  ].filter((bytes) => bytes !== undefined);
};
