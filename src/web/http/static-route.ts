import type { FastifyReply, FastifyRequest } from 'fastify';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { StaticFiles } from '../static/static-files.ts';

const allow = ['GET', 'HEAD'] as const;

/** Refuses what console files cannot be asked. */
export const checkStaticMethod = (method: string): (typeof allow)[number] => {
  const served = allow.find((candidate) => candidate === method);
  if (served) return served;
  throw new BusbarError('method_not_allowed', { details: { allow } });
};

/** Answers with a console file, or refuses as the file store does. */
export const answerStatic = (
  files: StaticFiles,
  pathname: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const method = checkStaticMethod(request.method);
  const answer = files.lookup(pathname, request.headers, method);
  reply.code(answer.status).headers(answer.headers);
  return reply.send(answer.body);
};
