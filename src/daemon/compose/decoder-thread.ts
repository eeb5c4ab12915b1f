import { type Port, RpcPort } from '../../base/threads/rpc-port.ts';
import { packReport } from '../../check/packed-report.ts';
import { offerEvaluation } from '../../check/service/check-pool.ts';
import { checkProjectFile } from '../../check/service/check-project-file.ts';
import { offerChunks } from '../../table/service/decode-pool.ts';
import { decodeProjectFile } from '../../table/service/decode-project-file.ts';
import { takeNiceness } from '../threads/priorities.ts';

/** Serves a command with parts of a trace, or a job with a whole file. */
export const runDecoderThread = (port: Port): void => {
  const offer = {
    ...offerChunks(),
    ...offerEvaluation(),
    decodeProjectFile: (...values: Parameters<typeof decodeProjectFile>) => {
      takeNiceness('decoder');
      return decodeProjectFile(...values);
    },
    checkProjectFile: (...values: Parameters<typeof checkProjectFile>) => {
      takeNiceness('decoder');
      return packReport(checkProjectFile(...values));
    },
  };
  new RpcPort(port, offer, (thrown) => console.error(thrown));
};
