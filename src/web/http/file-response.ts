import type { ServerResponse } from 'node:http';
import type { FileDownload } from '../../base/files/file-download.ts';

const chunkBytes = 64 * 1024;

/** RFC 6266: the plain form has what every client reads, the other one the whole name. */
export const attachment = (name: string): string => {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/**
 * Sends a file piece by piece. The next piece is read after the system has accepted the previous
 * one, so a client that does not read holds one piece and the descriptor until it times out.
 */
export const sendFile = (
  response: ServerResponse,
  file: FileDownload,
  status: number,
  headers: Readonly<Record<string, string>>,
): void => {
  response.once('close', () => file.close());
  if (response.destroyed) {
    file.close();
    return;
  }
  response.writeHead(status, {
    ...headers,
    'content-disposition': attachment(file.name),
    'content-length': file.size,
    etag: `"${file.version}"`,
  });
  if (response.req.method === 'HEAD' || file.size === 0) {
    response.end();
    return;
  }
  const piece = Buffer.allocUnsafe(chunkBytes);
  const sendFrom = async (position: number): Promise<void> => {
    const length = await file.read(piece, position).catch(() => 0);
    if (response.destroyed) return;
    const next = position + length;
    // A shorter body than announced shows the client that something is missing.
    if (length === 0) response.destroy();
    else if (next === file.size) response.end(piece.subarray(0, length));
    else response.write(piece.subarray(0, length), (error) => void (error ?? sendFrom(next)));
  };
  void sendFrom(0);
};
