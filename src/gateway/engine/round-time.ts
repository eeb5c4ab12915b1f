/**
 * The times that a round works with, in monotonic microseconds, and the event that an outcome came with. They are read from here by all that needs them: a
 * double that is handed from call to call makes garbage with every frame.
 */
export class RoundTime {
  startUs = 0.5;
  nowUs = 0.5;
  /** Observation time of the next input; NaN without one. */
  observedUs = Number.NaN;
  /** Time of waveforms since the start. */
  elapsedUs = 0.5;
  /** Acceptance of the current frame. */
  acceptedUs = 0.5;
  /** Acceptance and outcome of the settled frame. */
  submittedUs = 0.5;
  settledUs = 0.5;
  /** Event id of its completion, or 0. */
  eventId = 0.5;
}
