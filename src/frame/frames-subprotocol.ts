/** The one format that the WebSocket of raw events speaks: FRM2 records. */
export const framesSubprotocol = 'svc.frames.v2';

/** What a token begins with that is offered as a subprotocol: browsers let a WebSocket set no header. */
export const tokenPrefix = 'svc.token.';
