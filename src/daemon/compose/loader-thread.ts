import { SystemClock } from '../../base/clock/system-clock.ts';
import { findProjectFile } from '../../base/files/file-downloads.ts';
import { FileUploads } from '../../base/files/file-uploads.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import { moving, type Port, RpcPort } from '../../base/threads/rpc-port.ts';
import { readFirmwareIndex } from '../../bench/firmware/read-firmware-index.ts';
import { loadBench } from '../../bench/load-bench.ts';
import { maxCheckFile } from '../../check/read-check-file.ts';
import { DatabaseLoader } from '../../database/service/database-loader.ts';
import type { PackedDatabase } from '../../database/service/packed-database.ts';
import { benchWithoutFile } from '../../demo/demo-bench.ts';
import { demoDatabase, doorDatabase } from '../../demo/demo-names.ts';
import { doorNetwork } from '../../demo/door-network.ts';
import { vehicleDatabase } from '../../demo/vehicle-database.ts';
import { inFile } from '../../diagnostics/diagnostics-file.ts';
import { readDidFile } from '../../diagnostics/dids.ts';
import { readEcuModel } from '../../diagnostics/ecu-model.ts';
import { readFlashFiles } from '../../diagnostics/service/read-flash-files.ts';
import { readProjectBytes } from '../../diagnostics/service/read-payload.ts';
import { maxDidsBytes, maxFileBytes } from '../../diagnostics/service/requests.ts';
import { readMap } from '../../modbus/service/read-map.ts';
import { uploadEndings } from '../../operations/file.ts';
import { limits, pageBytes, traceSummaryLimit, uploadLimit } from '../../operations/limits.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { replayFilters } from '../../trace/service/replay-filter.ts';
import { TraceLoader } from '../../trace/service/trace-loader.ts';
import { TraceSummaries } from '../../trace/service/trace-summaries.ts';
import type { ReadingRpc } from '../threads/loader-link.ts';
import { benchPort } from '../threads/priorities.ts';
import { onLinked } from '../threads/thread-link.ts';
import type { LoaderRpc, LoaderThreadData } from './thread-contracts.ts';

const buffersOf = ({ bytes, ends }: PackedDatabase) => [bytes.buffer, ends.buffer];

export const runLoaderThread = async (
  parentPort: Port,
  { realtime, projectRoot, unixOffsetUs, demo }: LoaderThreadData,
): Promise<void> => {
  const port = await benchPort(parentPort, realtime);
  const clock = new SystemClock(unixOffsetUs);
  const onDefect = (thrown: unknown): void => console.error(thrown);
  const loader = new DatabaseLoader(projectRoot, limits.databases, () => clock.unixUs());
  const { store } = loader;
  if (demo) {
    for (const [name, text] of [
      [demoDatabase, vehicleDatabase()],
      [doorDatabase, doorNetwork()],
    ] as const) {
      loader.loadBuiltIn(name, new TextEncoder().encode(text));
    }
  }
  const traces = new TraceLoader({
    projectRoot,
    openTrace,
    clock,
    compileFilter: replayFilters((name) => store.find(name)),
  });
  const offer: LoaderRpc = {
    loadBench: (places) => loadBench(places, benchWithoutFile(demo)),
    openTrace: (order) => traces.open(order),
    findTraceChannels: (handle) => traces.findChannels(handle),
    readTrace: (handle, spare) => {
      const piece = traces.read(handle, spare);
      return moving(piece, [piece.buffer]);
    },
    closeTrace: (handle) => traces.close(handle),
    readFirmwareIndex: (bench) => readFirmwareIndex(bench, clock),
    readDids: (file) =>
      inFile('dids', file, () =>
        readDidFile(readProjectBytes(projectRoot, file, maxDidsBytes, 'dids')),
      ),
    readFlashFiles: (request) => {
      const files = readFlashFiles(projectRoot, request);
      const buffers = new Set(files.image.segments.map(({ data }) => data.buffer as ArrayBuffer));
      return moving(files, [...buffers]);
    },
    readPayload: (file) => {
      const bytes = readProjectBytes(projectRoot, file, maxFileBytes);
      return moving(bytes, [bytes.buffer]);
    },
    readEcuModel: (file) => readEcuModel(readProjectBytes(projectRoot, file, maxFileBytes)),
    readModbusMap: (file, kind) => readMap(projectRoot, file, kind),
    readDatabases: (names) => names.map((name) => loader.file(name)),
  };
  const summaries = new TraceSummaries({ clock, projectRoot, openTrace, ...traceSummaryLimit });
  const uploads = new FileUploads({
    ...uploadLimit,
    projectRoot,
    endings: uploadEndings,
    clock,
  });
  const reading: ReadingRpc = {
    load: (request) => loader.load(request),
    list: () => store.list(),
    show: (name, range) => {
      const page = store.page(name, { ...range, maxBytes: pageBytes });
      const bytes = new TextEncoder().encode(stringifyJson(page));
      return moving(bytes, [bytes.buffer]);
    },
    message: (name, reference, signals) => store.message(name, reference, signals),
    unload: (name) => store.unload(name),
    reload: (name, room) => {
      const reloaded = loader.reload(name, room);
      return moving(reloaded, reloaded.packed ? buffersOf(reloaded.packed) : []);
    },
    contents: (name, room) => {
      const packed = loader.contents(name, room);
      return moving(packed, buffersOf(packed));
    },
    summarizeTrace: (file) => summaries.summarize(file),
    findProjectFile: (file) => findProjectFile(projectRoot, file),
    putFile: (part) => uploads.put(part),
    removeFile: (file, version) => uploads.remove(file, version),
    readCheckFile: (file) => readProjectBytes(projectRoot, file, maxCheckFile),
    loadedFiles: (names) => loader.loadedFiles(names),
  };
  new RpcPort(port, offer, onDefect);
  onLinked(port, (link) => void new RpcPort(link, reading, onDefect));
};
