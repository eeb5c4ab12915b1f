// Archives in the "newc" format, which the kernel unpacks as its initial file system.

const kinds = { file: 0o100000, folder: 0o040000 };

const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

const record = ({ name, content, mode }, inode) => {
  const path = Buffer.from(`${name}\0`);
  const fields = [inode, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, path.length, 0];
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
  return Buffer.concat([padded(Buffer.concat([Buffer.from(header), path])), padded(content)]);
};

const foldersOf = (path) => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

/**
 * An archive of `[path, content, permissions]` entries with their folders and `emptyFolders`.
 * Archives can be concatenated.
 */
export const cpioArchive = (files, emptyFolders = []) => {
  const folders = new Set([
    ...files.flatMap(([path]) => foldersOf(path)),
    ...emptyFolders.flatMap((path) => [...foldersOf(path), path]),
  ]);
  const entries = [
    ...[...folders].map((name) => ({
      name,
      content: Buffer.alloc(0),
      mode: kinds.folder | 0o755,
    })),
    ...files.map(([name, content, permissions = 0o644]) => ({
      name,
      content: Buffer.from(content),
      mode: kinds.file | permissions,
    })),
    { name: 'TRAILER!!!', content: Buffer.alloc(0), mode: 0 },
  ];
  return Buffer.concat(entries.map((entry, index) => record(entry, index + 1)));
};
