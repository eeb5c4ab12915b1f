/** Stands where text was withheld from the log. */
export const redactedMark = '[redacted]';
