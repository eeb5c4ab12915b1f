import type { FastifyReply } from 'fastify';

/** The headers set on a reply so far, for an answer that the framework does not write. */
export const plainHeaders = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
