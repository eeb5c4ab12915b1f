export const lampStates = ['off', 'on', 'slow', 'fast', 'not_available'] as const;
export type LampState = (typeof lampStates)[number];

export interface Lamps {
  readonly malfunction: LampState;
  readonly red_stop: LampState;
  readonly amber_warning: LampState;
  readonly protect: LampState;
}

export interface FaultCode {
  readonly spn: number;
  readonly fmi: number;
  /** 126 means 126 or more; null if not available. */
  readonly count: number | null;
  readonly conversion: number;
}

export interface Diagnostics {
  readonly lamps: Lamps;
  readonly dtcs: readonly FaultCode[];
}

const diagnosticPgns = { dm1: 0xfeca, dm2: 0xfecb } as const;

export const isDiagnosticPgn = (pgn: number | null): boolean =>
  pgn === diagnosticPgns.dm1 || pgn === diagnosticPgns.dm2;

const codeBytes = 4;
const lampBytes = 2;
const shortest = lampBytes + codeBytes;
const singleFrame = 8;
const countNotAvailable = 127;

/** The lamp is on; `flash` says how. */
const flashes: readonly LampState[] = ['slow', 'fast', 'on', 'on'];

const lampOf = (state: number, flash: number): LampState => {
  if (state === 0) return 'off';
  return state === 1 ? (flashes[flash] as LampState) : 'not_available';
};

/**
 * A fault code, from its first byte:
 *
 *     | SPN 0–7 | SPN 8–15 | SPN 16–18, FMI 5 | conversion 1, count 7 |
 *
 * With a conversion of 1 the SPN has one of three older layouts, which the data do not
 * distinguish; one of them is this one.
 */
const codeAt = (payload: Uint8Array, at: number): FaultCode => {
  const third = payload[at + 2] as number;
  const fourth = payload[at + 3] as number;
  const count = fourth & 0x7f;
  return {
    spn: (payload[at] as number) | ((payload[at + 1] as number) << 8) | ((third >> 5) << 16),
    fmi: third & 0x1f,
    count: count === countNotAvailable ? null : count,
    conversion: fourth >> 7,
  };
};

/** Lamps and fault codes of DM1 or DM2; null if the payload is too short for them. */
export const readDiagnostics = (payload: Uint8Array): Diagnostics | null => {
  const { length } = payload;
  if (length < shortest) return null;
  const [lamps, flash] = [payload[0] as number, payload[1] as number];
  const lamp = (shift: number): LampState => lampOf((lamps >> shift) & 3, (flash >> shift) & 3);
  // The last two bytes of a single frame are filling.
  const codes = length <= singleFrame ? 1 : Math.floor((length - lampBytes) / codeBytes);
  const dtcs = Array.from({ length: codes }, (_, code) =>
    codeAt(payload, lampBytes + code * codeBytes),
  );
  const isNoFault = ({ spn, fmi }: FaultCode): boolean => spn === 0 && fmi === 0;
  return {
    lamps: {
      malfunction: lamp(6),
      red_stop: lamp(4),
      amber_warning: lamp(2),
      protect: lamp(0),
    },
    dtcs: dtcs.filter((code) => !isNoFault(code)),
  };
};
