import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";

/** What somebody wrote by hand is far below it; what is above it is no text of hooks. */
export const MOST_BYTES = 1 << 20;

/** A file that is there and still is nothing to read. */
export class Unfit extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "Unfit";
    this.hint = hint;
  }
}

/** The text of a regular file of a sensible size: no pipe, no device, nothing without an end. */
export function fileText(file: string): string {
  return opened(file, (fd, size) => {
    if (size > MOST_BYTES) throw tooLarge(size);
    return read(fd, size);
  });
}

/** The same for a program that has other things to do meanwhile. */
export async function fileTextLater(file: string): Promise<string> {
  const handle = await open(file, READING);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw notRegular();
    if (stat.size > MOST_BYTES) throw tooLarge(stat.size);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** Opening a pipe would otherwise wait for somebody who writes into it. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK;

/** The first bytes of a regular file, however large it is. */
export const fileHead = (file: string, bytes: number): string =>
  opened(file, (fd) => read(fd, bytes));

function opened(file: string, use: (fd: number, size: number) => string): string {
  const fd = openSync(file, READING);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw notRegular();
    return use(fd, stat.size);
  } finally {
    closeSync(fd);
  }
}

function read(fd: number, most: number): string {
  const bytes = Buffer.alloc(most);
  let length = 0;
  for (let got = -1; got !== 0 && length < most; length += got)
    got = readSync(fd, bytes, length, most - length, length);
  return bytes.toString("utf8", 0, length);
}

export const notRegular = (): Unfit =>
  new Unfit("is not a regular file", "put a plain file in its place");

export const tooLarge = (size: number | bigint): Unfit =>
  new Unfit(
    `is too large to be read (${size} bytes; ${MOST_BYTES} are allowed)`,
    "keep in it only what is about hooks",
  );
