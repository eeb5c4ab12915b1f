/**
 * The times that a round works with, in monotonic microseconds, and the event that an outcome came with. They are read from here by all that needs them: a
 * double that is handed from call to call makes garbage with every frame.
 */
export class RoundTime {
  /** When the engine began to run. */
  startUs = 0.5;
  /** When the round began. */
  nowUs = 0.5;
  /** When what is taken next was observed; NaN where nothing was. */
  observedUs = Number.NaN;
  /** How long after the start waveforms are sampled. */
  elapsedUs = 0.5;
  /** When the frame in hand was accepted. */
  acceptedUs = 0.5;
  /** When the frame that has an outcome had been accepted, and when it had that. */
  submittedUs = 0.5;
  settledUs = 0.5;
  /** Event id of its completion; 0 if there is none. */
  eventId = 0.5;
}
