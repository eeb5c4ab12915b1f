/** Streams and the bucket of a fleet, as the API of JetStream declares them. */

export const framesStream = 'BUSBAR_FRAMES';
export const signalsStream = 'BUSBAR_SIGNALS';
export const eventsStream = 'BUSBAR_EVENTS';

export const benchesBucket = 'busbar-benches';
export const benchesStream = `KV_${benchesBucket}`;

/** Subject of a bench's entry in the bucket. */
export const presenceSubject = (bench: string): string => `$KV.${benchesBucket}.${bench}`;

/** Subjects of the API on which a client reads a stream. */
export const streamInfoSubject = (stream: string): string => `$JS.API.STREAM.INFO.${stream}`;
export const lastMessageSubject = (stream: string, subject: string): string =>
  `$JS.API.DIRECT.GET.${stream}.${subject}`;

export interface StreamLimits {
  readonly maxAgeSeconds: number;
  readonly maxBytes: number;
  readonly replicas: number;
}

/** Time in which the server recognizes a message that it has stored already. */
const duplicateWindowSeconds = 120;

const nanoseconds = (seconds: number): number => seconds * 1e9;

const streamOf = (name: string, subjects: readonly string[], limits: StreamLimits) => ({
  name,
  subjects: [...subjects],
  retention: 'limits' as const,
  // A full stream drops its oldest messages. If it refused new ones, every bench would have to
  // keep them.
  discard: 'old' as const,
  storage: 'file' as const,
  max_age: nanoseconds(limits.maxAgeSeconds),
  max_bytes: limits.maxBytes,
  num_replicas: limits.replicas,
  duplicate_window: nanoseconds(Math.min(duplicateWindowSeconds, limits.maxAgeSeconds)),
  // A bench reads the last message of its subjects after an outage.
  allow_direct: true,
});

export type StreamDeclaration = ReturnType<typeof streamOf>;

export const streamDeclarations = (limits: StreamLimits): readonly StreamDeclaration[] => [
  streamOf(framesStream, ['busbar.*.frames.>'], limits),
  streamOf(signalsStream, ['busbar.*.signals.>', 'busbar.*.pdus'], limits),
  streamOf(eventsStream, ['busbar.*.events', 'busbar.*.log'], limits),
];

/** The stream of the bucket: one entry for each bench, which stays until it is removed. */
export const benchesDeclaration = (replicas: number) => ({
  name: benchesStream,
  subjects: [`$KV.${benchesBucket}.>`],
  retention: 'limits' as const,
  discard: 'new' as const,
  storage: 'file' as const,
  num_replicas: replicas,
  max_msgs_per_subject: 1,
  allow_rollup_hdrs: true,
  deny_delete: true,
  allow_direct: true,
});
