import { redactedMark } from './secrets.ts';

/** What the log may say about something thrown: where it came from, never what it said. */
export interface ThrownOutline {
  readonly class: string;
  readonly code: string | null;
  readonly detail: typeof redactedMark;
  readonly frames: readonly string[];
  readonly cause?: ThrownOutline;
}

const maxFrames = 10;
const maxCauses = 3;

const className = /^[A-Za-z_$][\w$]{0,63}$/;
const errorCode = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const frameLine =
  /^ {4}at (?:async )?(?:(?:new )?([\w$.<>#]{1,80})(?: \[as [\w$]+\])? )?\(?(?:.*[/\\]|node:)?([\w.@$+-]{1,80}:\d+:\d+)\)?$/;

/**
 * The stack starts with the message, and a message of several lines can look like frames: it is cut
 * off by its own text. A message changed after the stack was taken cannot be found, so no frame is
 * trusted then.
 */
const framesOf = (error: Error): readonly string[] => {
  const { stack, message } = error;
  if (typeof stack !== 'string' || typeof message !== 'string') return [];
  const start = stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const frame = frameLine.exec(line);
      return frame ? [`${frame[1] ?? '<anonymous>'} ${frame[2]}`] : [];
    })
    .slice(0, maxFrames);
};

const outlineError = (error: Error, causesLeft: number): ThrownOutline => {
  // The bundler puts the underscore before a class that names itself.
  const name: unknown = error.constructor?.name.replace(/^_/, '');
  const code: unknown = 'code' in error ? error.code : undefined;
  const nested = causesLeft > 0 && error.cause instanceof Error ? error.cause : undefined;
  return {
    class: typeof name === 'string' && className.test(name) ? name : 'Error',
    code: typeof code === 'string' && errorCode.test(code) ? code : null,
    detail: redactedMark,
    frames: framesOf(error),
    ...(nested && { cause: outlineError(nested, causesLeft - 1) }),
  };
};

/** Outlines anything thrown, down a few causes. Never throws itself, not even for a hostile proxy. */
export const outlineThrown = (thrown: unknown): ThrownOutline => {
  try {
    if (thrown instanceof Error) return outlineError(thrown, maxCauses);
  } catch {
    return { class: 'unreadable', code: null, detail: redactedMark, frames: [] };
  }
  return { class: typeof thrown, code: null, detail: redactedMark, frames: [] };
};
