/** How the harness's own program is asked one question. */
export interface Asks {
  /** What `provider:` calls it. */
  readonly provider: string;
  readonly program: string;
  /** The question comes on standard input. */
  readonly argv: readonly string[];
  /** The option that names a model. */
  readonly model: string;
  readonly env: Readonly<Record<string, string>>;
  /** text: standard output is the answer; else the member of the printed JSON that holds it. */
  readonly answer: string;
}
