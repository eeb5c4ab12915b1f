import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { DescribedFrames } from '../send-request.ts';

/** Fields of a request that names a message instead of describing its frame. */
export interface NameFields {
  readonly message?: string | undefined;
  readonly signals?: Readonly<Record<string, string>> | undefined;
  readonly raw?: boolean | undefined;
  readonly database?: string | undefined;
}

const frameFields = [
  ...['type', 'id', 'extended', 'fd', 'brs', 'esi', 'dlc', 'data', 'checksum'],
  ...['frames', 'frame'],
] as const;

const frameField = new Set<unknown>(frameFields);

const needMessage = ['signals', 'raw', 'database'] as const;

/**
 * The message that a request names. On a command line the word after the channel is a frame if it
 * contains `#`.
 */
export const namedIn = (
  request: Partial<DescribedFrames> & NameFields,
  more: readonly string[] = [],
): string | undefined => {
  const { frame } = request;
  const isName = frame !== undefined && !frame.includes('#');
  const name = request.message ?? (isName ? frame : undefined);
  const given = request as Readonly<Record<string, unknown>>;
  if (name === undefined) {
    const alone = needMessage.find((field) => given[field] !== undefined);
    if (alone === undefined) return undefined;
    throw invalidArgument(alone, `${alone} applies to a message by name: give message`, {
      reason: 'needs_message',
    });
  }
  const also = [...frameFields, ...more].filter(
    (field) => given[field] !== undefined && !(field === 'frame' && request.message === undefined),
  );
  if (also.length === 0) return name;
  throw invalidArgument('message', `A message by name has its own frame: omit ${also.join(', ')}`, {
    reason: 'exclusive',
    with: also,
  });
};

const isOfFrame = (thrown: unknown): thrown is BusbarError =>
  thrown instanceof BusbarError && frameField.has(thrown.details.field);

/** A refusal of the frame that a message became: its sender has only named the message. */
export const refusedMessage = (thrown: unknown, message: string): unknown => {
  if (!isOfFrame(thrown)) return thrown;
  return thrown.with({
    message: `${message} cannot be sent: ${thrown.message}`,
    details: { ...thrown.details, field: 'message' },
  });
};

/** Waits for a bench that reports fields of frames, and refuses the field that the caller gave. */
export const refusingField = async <Result>(
  field: string,
  work: Promise<Result>,
): Promise<Result> => {
  try {
    return await work;
  } catch (thrown) {
    throw isOfFrame(thrown) ? thrown.with({ details: { ...thrown.details, field } }) : thrown;
  }
};
