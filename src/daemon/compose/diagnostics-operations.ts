import type { BenchSource } from '../../bench/channel-table.ts';
import type { DiagnosticLinks } from '../../diagnostics/service/diagnostic-links.ts';
import type { Requests } from '../../diagnostics/service/requests.ts';
import type { SimulatedEcus } from '../../diagnostics/service/simulated-ecus.ts';
import type { Ask, UdsCalls } from '../../diagnostics/service/uds-calls.ts';
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
import {
  udsClear,
  udsCommunication,
  udsDtc,
  udsDtcSetting,
  udsFlash,
  udsIo,
  udsMemoryRead,
  udsMemoryWrite,
  udsRead,
  udsReset,
  udsRoutine,
  udsSecurity,
  udsSession,
  udsTesterPresent,
  udsWrite,
} from '../../operations/uds.ts';
import type { FlashJobs } from '../jobs/flash-jobs.ts';

export interface DiagnosticsContext {
  readonly calls: UdsCalls;
  readonly flash: FlashJobs;
  readonly links: DiagnosticLinks;
  readonly requests: Requests;
  readonly ecus: SimulatedEcus;
  readonly benchOf: (caller: Caller) => BenchSource;
}

export const bindDiagnosticsOperations = (
  dispatcher: Dispatcher,
  { links, requests, calls, flash, ecus, benchOf }: DiagnosticsContext,
): void => {
  const ask = (ecu: string, caller: Caller): Ask => ({
    ecu,
    bench: benchOf(caller),
    signal: caller.signal,
  });
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
    )
    .bind(udsSession, ({ arguments: { ecu, session, suppress }, caller }) =>
      calls.session(ask(ecu, caller), session, suppress),
    )
    .bind(udsReset, ({ arguments: { ecu, reset, suppress }, caller }) =>
      calls.reset(ask(ecu, caller), reset, suppress),
    )
    .bind(udsRead, ({ arguments: { ecu, dids }, caller }) => calls.read(ask(ecu, caller), dids))
    .bind(udsWrite, ({ arguments: { ecu, did, value }, caller }) =>
      calls.write(ask(ecu, caller), did, value),
    )
    .bind(udsDtc, ({ arguments: { ecu, ...call }, caller }) => calls.dtcs(ask(ecu, caller), call))
    .bind(udsClear, ({ arguments: { ecu, group }, caller }) => calls.clear(ask(ecu, caller), group))
    .bind(udsRoutine, ({ arguments: { ecu, action, routine, data }, caller }) =>
      calls.routine(ask(ecu, caller), action, routine, data),
    )
    .bind(udsSecurity, ({ arguments: { ecu, level, key }, caller }) =>
      calls.security(ask(ecu, caller), level, key),
    )
    .bind(udsCommunication, ({ arguments: { ecu, control, type, node, suppress }, caller }) =>
      calls.communication(ask(ecu, caller), control, type, node, suppress),
    )
    .bind(udsDtcSetting, ({ arguments: { ecu, setting, suppress }, caller }) =>
      calls.dtcSetting(ask(ecu, caller), setting, suppress),
    )
    .bind(udsIo, ({ arguments: { ecu, did, control, value, mask }, caller }) =>
      calls.io(ask(ecu, caller), did, control, value, mask),
    )
    .bind(udsMemoryRead, ({ arguments: { ecu, address, size }, caller }) =>
      calls.memoryRead(ask(ecu, caller), address, size),
    )
    .bind(udsMemoryWrite, ({ arguments: { ecu, address, data }, caller }) =>
      calls.memoryWrite(ask(ecu, caller), address, data),
    )
    .bind(udsTesterPresent, ({ arguments: { ecu, enabled, period_ms }, caller }) =>
      calls.presence(ask(ecu, caller), enabled, period_ms),
    )
    .bind(udsFlash, ({ arguments: request, caller }) => flash.queue(request, benchOf(caller)));
};
