import type { Command, Reply } from './exchange.ts';
import type { SlcanProfile } from './slcan-profile.ts';

const timeoutUs = 500_000;
/** Answers that are late come together, or a few frames apart. */
const quietUs = 100_000;
const mostFences = 3;

/**
 * What tells that all answers that were missed have come or never will: a question whose answer
 * cannot be taken for that of a frame, and then quiet. Devices answer in order, but a bell behind the
 * question may belong to a frame before it.
 */
export const fenceFor = ({ version, serial }: SlcanProfile): Command => {
  if (version !== '') {
    const isAnswer = (line: string): boolean => line.replace(/^[Vv]/, '') === version;
    return { text: 'V', timeoutUs, quietUs, isAnswer };
  }
  if (serial !== '') {
    return { text: 'N', timeoutUs, quietUs, isAnswer: (line) => line === `N${serial}` };
  }
  // It has nothing but bells and ends of lines: the last one before the quiet is its answer.
  return { text: 'V', timeoutUs, quietUs };
};

/** Asks until a device answers in step again; `gone` also where it is off for another reason. */
export const findAnswers = async (
  line: { ask(command: Command): Promise<Reply> },
  profile: SlcanProfile,
  isOff: () => boolean,
): Promise<'ok' | 'silent' | 'gone'> => {
  const fence = fenceFor(profile);
  for (let i = 0; i < mostFences; i++) {
    const { outcome } = await line.ask(fence);
    if (outcome === 'gone' || isOff()) return 'gone';
    if (outcome !== 'silent') return 'ok';
  }
  return 'silent';
};
