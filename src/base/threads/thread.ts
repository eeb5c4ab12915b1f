/** As much of a Worker as it takes to watch over it. */
export interface Thread {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  on(event: 'online', listener: () => void): unknown;
  terminate(): Promise<number>;
}

/** What a thread died of, in one line. */
export const failureText = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
