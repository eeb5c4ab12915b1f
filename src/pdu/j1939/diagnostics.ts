import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../../base/schema/schemas.ts';

const lampStates = ['off', 'on', 'slow', 'fast', 'not_available'] as const;
type LampState = (typeof lampStates)[number];

const Lamp = Type.Enum([...lampStates], {
  description: 'on is steady; slow and fast flash with 1 and 2 Hz',
});

export const Diagnostics = named(
  'J1939Diagnostics',
  Type.Object({
    lamps: Type.Object({
      malfunction: Lamp,
      red_stop: Lamp,
      amber_warning: Lamp,
      protect: Lamp,
    }),
    dtcs: Type.Array(
      Type.Object({
        spn: Type.Integer({
          minimum: 0,
          maximum: 0x7ffff,
          description: 'Suspect parameter number',
        }),
        fmi: Type.Integer({ minimum: 0, maximum: 31, description: 'Failure mode identifier' }),
        count: nullable(Type.Integer({ minimum: 0, maximum: 126 }), {
          description: 'Occurrences; 126 means 126 or more, null not available',
        }),
        conversion: Type.Integer({
          minimum: 0,
          maximum: 1,
          description:
            '1 is one of three older layouts that the data do not distinguish; spn is then read as version 3',
        }),
      }),
      { description: 'Diagnostic codes (DTC); empty if the node reports no fault' },
    ),
  }),
);
export type Diagnostics = RecordOf<typeof Diagnostics>;

type FaultCode = Diagnostics['dtcs'][number];

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
