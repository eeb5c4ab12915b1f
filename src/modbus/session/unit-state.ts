/**
 * State of a unit whose responses do not identify their requests, managed by `unit-record.ts`:
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
 * - `late`: a request was abandoned and may still get a response.
 * - `probing`: a probe was sent. Its response shows that nothing older is pending.
 * - `left_alone`: it did not respond to a probe, or must not be probed, and rests instead.
 * - `doubtful`: the rest is over, but the next response may still be an old one.
 */
export const unitStates = ['healthy', 'late', 'probing', 'left_alone', 'doubtful'] as const;
export type UnitState = (typeof unitStates)[number];

export const unitEvents = ['missed', 'probe', 'cancelled', 'leave', 'rested', 'settled'] as const;
/**
 * `missed`: the request was abandoned. `cancelled`: the caller of the probe cancelled. `leave`:
 * the unit must not be probed. `settled`: nothing older is outstanding.
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

export const nextUnitState = (state: UnitState, event: UnitEvent): UnitState =>
  event === 'settled' ? 'healthy' : (transitions[state][event] ?? state);
