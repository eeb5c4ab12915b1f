interface Closing {
  close(): void;
}

/** What the client thread serves callers with, in the order in which it ends. */
export interface ClientParts {
  /** The socket of the CLI. */
  readonly ipc: {
    stopListening(): void;
    cancelCalls(reason: 'daemon_stopped'): void;
    settled(): Promise<void>;
  };
  readonly web: { stop(reason: 'daemon_stop'): Promise<unknown> };
  /** What streams are fed by, and what watches over plugins meanwhile. */
  readonly sources: readonly Closing[];
  /** Streams whose records another thread makes. */
  readonly dispatcher: { endForwardedStreams(): void };
}

/** Takes no more callers, ends their streams, and then the calls that are under way; resolves once all are answered. */
export const stopClients = async (parts: ClientParts): Promise<void> => {
  const { ipc, web, sources, dispatcher } = parts;
  ipc.stopListening();
  await web.stop('daemon_stop');
  for (const source of sources) source.close();
  dispatcher.endForwardedStreams();
  ipc.cancelCalls('daemon_stopped');
  await ipc.settled();
};
