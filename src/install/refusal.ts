/** A file that we will not touch, where the trouble is, and what the person can do about it. */
export class Refusal extends Error {
  readonly file: string;
  /** 0 when the trouble is with the file as a whole. */
  readonly line: number;
  readonly column: number;
  readonly hint: string;

  constructor(
    file: string,
    message: string,
    more: { line?: number; column?: number; hint?: string } = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.file = file;
    this.line = more.line ?? 0;
    this.column = more.column ?? 0;
    this.hint = more.hint ?? "";
  }
}
