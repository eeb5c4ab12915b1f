import { BusbarError } from '../../base/errors/busbar-error.ts';
import { framesSubprotocol, tokenPrefix } from '../../frame/frames-subprotocol.ts';

const namesIn = (header: string): string[] =>
  header
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The subprotocol to answer with, out of those that a client offers. */
export const selectSubprotocol = (header: string | undefined): typeof framesSubprotocol => {
  const offered = namesIn(header ?? '');
  if (offered.includes(framesSubprotocol)) return framesSubprotocol;
  throw new BusbarError('unsupported_websocket_subprotocol', {
    details: {
      // A token that is offered beside it is a secret: never selected, never shown.
      offered: offered.filter((name) => !name.toLowerCase().startsWith(tokenPrefix)),
      required: framesSubprotocol,
    },
  });
};
