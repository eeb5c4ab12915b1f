import type { BenchSource } from '../../bench/channel-table.ts';
import type { DiagnosticLinks } from '../../diagnostics/service/diagnostic-links.ts';
import type { Requests } from '../../diagnostics/service/requests.ts';
import type { SimulatedEcus } from '../../diagnostics/service/simulated-ecus.ts';
import {
  isotpClose,
  isotpList,
  isotpOpen,
  isotpRequest,
  isotpSend,
  isotpShow,
  udsRequest,
} from '../../operations/diagnostics.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { ecuList, ecuServe, ecuStop } from '../../operations/simulated-ecu.ts';

export interface DiagnosticsContext {
  readonly links: DiagnosticLinks;
  readonly requests: Requests;
  readonly ecus: SimulatedEcus;
  readonly benchOf: (caller: Caller) => BenchSource;
}

export const bindDiagnosticsOperations = (
  dispatcher: Dispatcher,
  { links, requests, ecus, benchOf }: DiagnosticsContext,
): void => {
  dispatcher
    .bind(ecuServe, ({ arguments: request, caller }) => ecus.serve(request, benchOf(caller)))
    .bind(ecuList, () => ({ simulated_ecus: ecus.list() }))
    .bind(ecuStop, ({ arguments: { ecu_id } }) => ecus.stop(ecu_id))
    .bind(isotpList, async ({ caller }) => ({ links: await links.list(benchOf(caller)) }))
    .bind(isotpOpen, ({ arguments: request, caller }) => links.open(request, benchOf(caller)))
    .bind(isotpShow, ({ arguments: { ecu }, caller }) => links.show(ecu, benchOf(caller)))
    .bind(isotpClose, ({ arguments: { ecu }, caller }) => links.close(ecu, benchOf(caller)))
    .bind(udsRequest, ({ arguments: request, caller }) =>
      requests.send(request, benchOf(caller), caller.signal),
    )
    .bind(isotpRequest, ({ arguments: request, caller }) =>
      requests.send(
        { ...request, protocol: 'isotp', wait: true, functional: false },
        benchOf(caller),
        caller.signal,
      ),
    )
    .bind(isotpSend, ({ arguments: request, caller }) =>
      requests.send({ ...request, protocol: 'isotp', wait: false }, benchOf(caller), caller.signal),
    );
};
