/** What we broke, as opposed to what a user wrote (Diagnostic) or a handler did (Outcome). */
export class Fault extends Error {
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "Fault";
    this.code = code;
    this.hint = options.hint ?? "";
  }
}
