import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pgnOf } from '../../../src/database/j1939.ts';
import { MessageIndex } from '../../../src/database/message-index.ts';
import type { Message } from '../../../src/database/model.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { IdentifierIndex } from './identifier-index.ts';

// Few priorities, groups and addresses, so that messages meet in all of them.
const identifier = fc
  .record({
    priority: fc.constantFrom(3, 6),
    group: fc.constantFrom(0xfe_f100, 0xfe_f200, 0xea_0000, 0xea_2100),
    source: fc.constantFrom(0x00, 0x07, 0xfe),
  })
  .map(({ priority, group, source }) => priority * 2 ** 26 + group + source);

const message = fc.record({
  id: fc.oneof(identifier, fc.constantFrom(0x100, 0x101)),
  extended: fc.boolean(),
  isGroup: fc.boolean(),
});

it('finds the message of a frame that the service finds', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 8 }),
      identifier,
      fc.boolean(),
      (drawn, id, wide) => {
        const known = drawn.map(({ isGroup, ...each }, number) => ({
          ...each,
          name: `m${number}`,
          pgn: isGroup && each.extended ? pgnOf(each.id) : null,
        }));
        const messages = known.map(({ pgn, ...each }) => ({
          ...(each as Pick<Message, 'id' | 'extended' | 'name'> as Message),
          ...(pgn !== null && { pgn }),
        }));
        const service = new MessageIndex({ messages });
        const expected = service.byId(id, wide) ?? (wide ? service.byGroup(id) : undefined);
        const index = new IdentifierIndex<string>();
        index.add(known, ({ name }) => name);
        expect(index.find(id, wide ? frameFlag.extended : 0)).toBe(expected?.name);
      },
    ),
    { numRuns: 2000 },
  );
});
