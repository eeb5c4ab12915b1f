export const framesSubprotocol = 'svc.frames.v2';

/** Prefix of a token offered as a subprotocol, because browsers cannot set WebSocket headers. */
export const tokenPrefix = 'svc.token.';
