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
  const ask = (
    { ecu, timeout_ms }: { readonly ecu: string; readonly timeout_ms: number },
    caller: Caller,
  ): Ask => ({
    ecu,
    bench: benchOf(caller),
    signal: caller.signal,
    timeoutUs: timeout_ms * 1000,
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
    .bind(udsSession, ({ arguments: { session, suppress, ...to }, caller }) =>
      calls.session(ask(to, caller), session, suppress),
    )
    .bind(udsReset, ({ arguments: { reset, suppress, ...to }, caller }) =>
      calls.reset(ask(to, caller), reset, suppress),
    )
    .bind(udsRead, ({ arguments: { dids, ...to }, caller }) => calls.read(ask(to, caller), dids))
    .bind(udsWrite, ({ arguments: { did, value, ...to }, caller }) =>
      calls.write(ask(to, caller), did, value),
    )
    .bind(udsDtc, ({ arguments: { ecu, timeout_ms, ...call }, caller }) =>
      calls.dtcs(ask({ ecu, timeout_ms }, caller), call),
    )
    .bind(udsClear, ({ arguments: { group, ...to }, caller }) =>
      calls.clear(ask(to, caller), group),
    )
    .bind(udsRoutine, ({ arguments: { action, routine, data, ...to }, caller }) =>
      calls.routine(ask(to, caller), action, routine, data),
    )
    .bind(udsSecurity, ({ arguments: { level, key, ...to }, caller }) =>
      calls.security(ask(to, caller), level, key),
    )
    .bind(udsCommunication, ({ arguments: { control, type, node, suppress, ...to }, caller }) =>
      calls.communication(ask(to, caller), control, type, node, suppress),
    )
    .bind(udsDtcSetting, ({ arguments: { setting, suppress, ...to }, caller }) =>
      calls.dtcSetting(ask(to, caller), setting, suppress),
    )
    .bind(udsIo, ({ arguments: { did, control, value, mask, ...to }, caller }) =>
      calls.io(ask(to, caller), did, control, value, mask),
    )
    .bind(udsMemoryRead, ({ arguments: { address, size, ...to }, caller }) =>
      calls.memoryRead(ask(to, caller), address, size),
    )
    .bind(udsMemoryWrite, ({ arguments: { address, data, ...to }, caller }) =>
      calls.memoryWrite(ask(to, caller), address, data),
    )
    .bind(udsTesterPresent, ({ arguments: { ecu, enabled, period_ms }, caller }) =>
      calls.presence({ ecu, bench: benchOf(caller) }, enabled, period_ms),
    )
    .bind(udsFlash, ({ arguments: request, caller }) => flash.queue(request, benchOf(caller)));
};
