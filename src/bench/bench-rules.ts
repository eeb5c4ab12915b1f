import type { TSchema } from 'typebox';
import { isJsonObject } from '../base/json/json-value.ts';
import { type FieldProblem, problemAt, schemaProblems } from '../base/schema/schema-problems.ts';
import { nearest } from '../base/suggest.ts';
import { addressError } from '../drivers/address-error.ts';
import { driverKinds } from '../drivers/driver-kinds.ts';
import { lineFieldNames } from '../modbus/transport/network-record.ts';
import {
  BenchFile,
  FileBusNetwork,
  type FileDevice,
  FileSerialNetwork,
  FileTcpNetwork,
} from './bench-file.ts';
import { EcuEntry, ecuProblems } from './ecu-entry.ts';
import { nameError } from './name-rule.ts';
import { maxRecorders, recorderNameError } from './recorder-entry.ts';
import { parseSelector } from './selector.ts';

const portNumber = /^(0|[1-9][0-9]{0,3})$/;

const serialUnit = /^([1-9]|[1-9][0-9]|1[0-9]{2}|2[0-3][0-9]|24[0-7])$/;

const forms: Readonly<Record<string, TSchema>> = {
  channel: FileBusNetwork,
  tcp: FileTcpNetwork,
  serial: FileSerialNetwork,
};

const isPortSelector = (text: string): boolean => {
  try {
    return parseSelector(text).form === 'port';
  } catch {
    return false;
  }
};

const bindingProblems = (binding: string, at: readonly string[]): FieldProblem[] =>
  isPortSelector(binding) ? [] : [problemAt(at, 'must be a port, as <sn>/<port>')];

const unitProblems = (units: unknown, at: readonly string[]): FieldProblem[] =>
  Object.keys(isJsonObject(units) ? units : {})
    .filter((unit) => !serialUnit.test(unit))
    .map((unit) => problemAt([...at, 'units', unit], 'is not a unit from 1 to 247'));

const lineProblems = (
  { serial, tcp }: Readonly<Record<string, unknown>>,
  at: readonly string[],
): FieldProblem[] => {
  if (isJsonObject(serial)) return unitProblems(serial.units, [...at, 'serial']);
  if (!isJsonObject(tcp)) return [];
  if (tcp.framing === 'rtu') return unitProblems(tcp.units, [...at, 'tcp']);
  return lineFieldNames
    .filter((field) => Object.hasOwn(tcp, field))
    .map((field) => problemAt([...at, 'tcp', field], 'requires the framing rtu'));
};

const networkProblems = (name: string, network: unknown): FieldProblem[] => {
  const at = ['networks', name];
  if (network === null) return [];
  if (typeof network === 'string') return bindingProblems(network, at);
  const form = isJsonObject(network)
    ? Object.keys(forms).find((key) => Object.hasOwn(network, key))
    : undefined;
  const schema = form === undefined ? undefined : forms[form];
  if (!isJsonObject(network) || !schema) {
    return [problemAt(at, 'must be a port, null, or an object with channel, tcp or serial')];
  }
  const problems = schemaProblems(schema, network, at);
  problems.push(...lineProblems(network, at));
  if (problems.length > 0 || typeof network.channel !== 'string') return problems;
  return bindingProblems(network.channel, [...at, 'channel']);
};

const unsoundDevice: FileDevice = { driver: '', address: '' };

const portProblems = (devices: readonly FileDevice[], taken: Set<string>): FieldProblem[] => {
  const problems: FieldProblem[] = [];
  for (const [index, { ports = {} }] of devices.entries()) {
    for (const [port, name] of Object.entries(ports)) {
      const at = ['devices', index, 'ports', port];
      if (!portNumber.test(port)) problems.push(problemAt(at, 'is not a port number'));
      const error = nameError(name);
      if (error) problems.push(problemAt(at, error));
      else if (taken.has(name)) problems.push(problemAt(at, `repeats the port name ${name}`));
      taken.add(name);
    }
  }
  return problems;
};

const isDriverKind = (driver: string): boolean => driverKinds.some((kind) => kind === driver);

const driverProblems = (devices: readonly FileDevice[]): FieldProblem[] =>
  devices.flatMap(({ driver }, index) =>
    driver === unsoundDevice.driver || isDriverKind(driver)
      ? []
      : [problemAt(['devices', index, 'driver'], `must be one of ${driverKinds.join(', ')}`)],
  );

const addressProblems = (devices: readonly FileDevice[]): FieldProblem[] =>
  devices.flatMap(({ driver, address }, index) => {
    const error = addressError(driver, address);
    return error === undefined ? [] : [problemAt(['devices', index, 'address'], error)];
  });

const allNetworkProblems = (
  networks: Readonly<Record<string, unknown>>,
  portNames: ReadonlySet<string>,
): FieldProblem[] =>
  Object.entries(networks).flatMap(([name, network]) => {
    const at = ['networks', name];
    const problems = networkProblems(name, network);
    const error = nameError(name);
    if (error) problems.push(problemAt(at, `has an invalid name: a name ${error}`));
    if (portNames.has(name)) problems.push(problemAt(at, 'has the name of a port'));
    return problems;
  });

/** Networks without channels have no frames. */
const isChannel = (network: unknown): boolean =>
  !isJsonObject(network) || Object.hasOwn(network, 'channel');

const databaseProblems = (
  databases: Readonly<Record<string, unknown>>,
  networks: Readonly<Record<string, unknown>>,
  portNames: ReadonlySet<string>,
): FieldProblem[] => {
  const channels = Object.keys(networks).filter((name) => isChannel(networks[name]));
  const known = new Set([...portNames, ...channels]);
  return Object.keys(databases)
    .filter((name) => !known.has(name))
    .map((name) => {
      const near = nearest(name, known);
      const problem = 'is no port name and no CAN or LIN network of this file';
      return problemAt(['databases', name], near ? `${problem}. ${near}` : problem);
    });
};

const allEcuProblems = (ecus: Readonly<Record<string, unknown>>): FieldProblem[] =>
  Object.entries(ecus).flatMap(([name, entry]) => {
    const at = ['ecus', name];
    const error = nameError(name);
    const problems = error ? [problemAt(at, `has an invalid name: a name ${error}`)] : [];
    // The schema of the file reports the rest.
    if (schemaProblems(EcuEntry, entry).length > 0) return problems;
    return [...problems, ...ecuProblems(entry as EcuEntry, at)];
  });

/** The settings of each recorder are checked when it starts: a wrong one does not stop the others. */
const recorderProblems = (recorders: Readonly<Record<string, unknown>>): FieldProblem[] => {
  const names = Object.keys(recorders);
  const problems = names.flatMap((name) => {
    const error = recorderNameError(name);
    return error ? [problemAt(['recorders', name], `has an invalid name: a name ${error}`)] : [];
  });
  if (names.length <= maxRecorders) return problems;
  return [problemAt(['recorders'], `has more than ${maxRecorders} recorders`), ...problems];
};

const soundDevices = (document: Readonly<Record<string, unknown>>): readonly FileDevice[] => {
  const { devices } = document;
  const { devices: schema } = BenchFile.properties;
  if (!Array.isArray(devices)) return [];
  // An invalid device stays in the list, because problems refer to devices by index.
  return devices.map((device: FileDevice) =>
    schemaProblems(schema, [device]).length === 0 ? device : unsoundDevice,
  );
};

export const benchProblems = (document: unknown): FieldProblem[] => {
  const problems = schemaProblems(BenchFile, document);
  if (!isJsonObject(document)) return problems;
  const portNames = new Set<string>();
  const devices = soundDevices(document);
  problems.push(...driverProblems(devices), ...portProblems(devices, portNames));
  problems.push(...addressProblems(devices));
  if (isJsonObject(document.networks)) {
    problems.push(...allNetworkProblems(document.networks, portNames));
  }
  if (isJsonObject(document.databases)) {
    const networks = isJsonObject(document.networks) ? document.networks : {};
    problems.push(...databaseProblems(document.databases, networks, portNames));
  }
  if (isJsonObject(document.ecus)) problems.push(...allEcuProblems(document.ecus));
  if (isJsonObject(document.recorders)) problems.push(...recorderProblems(document.recorders));
  return problems;
};
