/**
 * `{file} {tool_name} {args} {result}` and `{payload.path}` in a shell command become references to
 * ANYHOOK_ARG_n, quoted for the place where they stand: payload text is data, never shell text.
 */
export interface Templated {
  readonly command: string;
  /** Placeholder names in the order of ANYHOOK_ARG_1, _2 … */
  readonly args: readonly string[];
}

const PLACEHOLDER = /^\{(file|tool_name|args|result|[a-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)+)\}/;

export function templateCommand(command: string): Templated {
  const args: string[] = [];
  const quotes: string[] = [""];
  let out = "";
  let at = 0;
  while (at < command.length) {
    const quote = quotes.at(-1)!;
    const hit = command[at - 1] === "$" ? null : PLACEHOLDER.exec(command.slice(at, at + 200));
    if (hit) {
      out += reference(hit[1]!, quote, args);
      at += hit[0].length;
      continue;
    }
    const step = quote === "'" ? 1 : escapeLength(command, at);
    if (step === 1) turn(quotes, command, at);
    out += command.slice(at, at + step);
    at += step;
  }
  return { command: out, args };
}

function reference(name: string, quote: string, args: string[]): string {
  if (!args.includes(name)) args.push(name);
  const variable = `\${ANYHOOK_ARG_${args.indexOf(name) + 1}}`;
  if (quote === '"') return variable;
  return quote === "'" ? `'"${variable}"'` : `"${variable}"`;
}

const escapeLength = (command: string, at: number): number =>
  command[at] === "\\" && at + 1 < command.length ? 2 : 1;

/** Keeps the stack of open quotes; `$(` opens a fresh context inside double quotes. */
function turn(quotes: string[], command: string, at: number): void {
  const c = command[at]!;
  const top = quotes.at(-1)!;
  if (top === "'") {
    if (c === "'") quotes.pop();
  } else if (c === '"') {
    if (top === '"') quotes.pop();
    else quotes.push('"');
  } else if (c === "'" && top !== '"') quotes.push("'");
  else if (c === "(" && command[at - 1] === "$") quotes.push("(");
  else if (c === ")" && top === "(") quotes.pop();
}
