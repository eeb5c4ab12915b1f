import type { LinearCodecRow } from './project.ts';
import type { ProjectDraft } from './project-draft.ts';
import type { Random } from './random.ts';
import { withLimits, withStates } from './random-codecs.ts';

const wordOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const;

/** A codec with as many raw bits as a resource. */
export const registerCodec = (
  random: Random,
  draft: ProjectDraft,
  bits: number,
): LinearCodecRow => {
  const raw = random.pick([
    ...(['unsigned', 'unsigned', 'signed', 'signed'] as const),
    ...(bits === 1 ? (['bool', 'bool', 'bool', 'bool'] as const) : []),
    ...(bits === 32 ? (['float32', 'float32'] as const) : []),
    ...(bits === 64 ? (['float64', 'float64'] as const) : []),
  ]);
  const hasLength = raw === 'unsigned' || raw === 'signed';
  const isOrdered = bits > 16 || random.chance(0.5);
  const codec: LinearCodecRow = {
    id: draft.name('codec'),
    kind: 'linear',
    raw,
    ...(hasLength ? { bit_length: bits } : {}),
    ...(isOrdered ? { word_order: random.pick(wordOrders) } : {}),
    ...random.some(bits === 1 ? 0.1 : 0.4, {
      factor: random.pick([0.5, 0.1, 0.1, 0.25, 2, -1, 0.01, 3]),
      offset: random.pick([-40, 0.5, 100, -1]),
    }),
  };
  return draft.addCodec(withLimits(random, withStates(random, codec)));
};
