/**
 * Times of the current round in monotonic microseconds, and the event id of an outcome. They
 * are fields because V8 allocates a double that is passed as an argument.
 */
export class RoundTime {
  startUs = 0.5;
  nowUs = 0.5;
  observedUs = Number.NaN;
  elapsedUs = 0.5;
  acceptedUs = 0.5;
  submittedUs = 0.5;
  settledUs = 0.5;
  eventId = 0.5;
}
