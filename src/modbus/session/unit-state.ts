/**
 * State of a unit whose responses do not identify their requests:
 *
 * ```
 *           missed            probe             missed
 *  healthy ────────▶ late ──────────────▶ probing ───────▶ left_alone
 *                   │ ▲ ▲ ◀─ cancelled ──┘   ▲              ▲    │
 *                   │ │ │                    └── probe ──┐  │    │ rested
 *                   │ │ └───────────── missed ──────── doubtful ◀┘
 *                   └─┼───────────────── leave ─────────────┘
 *                missed (late and left_alone stay unchanged)
 *
 *  settled: from every state to healthy
 * ```
 *
 * - `late`: a request was given up, and may still be answered.
 * - `probing`: a probe was sent, whose answer shows that nothing older is pending.
 * - `left_alone`: it did not answer a probe, or must not be probed, and is given time instead.
 * - `doubtful`: that time is over, but the next answer may still be an old one.
 *
 * Changed by `unit-record.ts`.
 */
export const unitStates = ['healthy', 'late', 'probing', 'left_alone', 'doubtful'] as const;
export type UnitState = (typeof unitStates)[number];

export const unitEvents = ['missed', 'probe', 'cancelled', 'leave', 'rested', 'settled'] as const;
/**
 * `missed`: the request was given up. `cancelled`: the probe's caller is gone. `leave`: it must
 * not be probed. `settled`: nothing older is owed.
 */
export type UnitEvent = (typeof unitEvents)[number];

type Transitions = Readonly<Partial<Record<UnitEvent, UnitState>>>;

const transitions: Readonly<Record<UnitState, Transitions>> = {
  healthy: { missed: 'late' },
  late: { missed: 'late', probe: 'probing', leave: 'left_alone' },
  probing: { missed: 'left_alone', cancelled: 'late' },
  left_alone: { missed: 'left_alone', rested: 'doubtful' },
  doubtful: { missed: 'late', probe: 'probing' },
};

/** The state after an event; unchanged if the event does not apply. */
export const nextUnitState = (state: UnitState, event: UnitEvent): UnitState =>
  event === 'settled' ? 'healthy' : (transitions[state][event] ?? state);
