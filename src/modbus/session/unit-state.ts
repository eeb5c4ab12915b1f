/**
 * What is known about the answers of a unit whose frames do not tell what they answer:
 *
 * ```
 *           missed            probe             missed
 *  healthy ────────▶ late ──────────────▶ probing ───────▶ left_alone
 *                   │ ▲ ▲ ◀─ cancelled ──┘   ▲              ▲    │
 *                   │ │ │                    └── probe ──┐  │    │ rested
 *                   │ │ └───────────── missed ──────── doubtful ◀┘
 *                   └─┼───────────────── leave ─────────────┘
 *                missed (late and left_alone stay what they are)
 *
 *  settled: from every state to healthy
 * ```
 *
 * - `late`: a request was given up, and may still be answered.
 * - `probing`: it was sent a probe, whose answer shows that nothing older is to come.
 * - `left_alone`: it let a probe pass, or must not be sent any, and is given time instead.
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
