import { VERSION } from "../version.ts";
import type { Extra } from "./_extra.ts";
import { Failure } from "./_settled.ts";

/** `${VAR}` and `$VAR`, for listed names only. Failures name the variable, never what it holds. */
export function headersOf(extra: Extra, env: NodeJS.ProcessEnv): Record<string, string> {
  const written = Object.entries(extra.headers ?? {}).map(([name, value]) => {
    const text = filled(value, extra.allowed_env ?? [], env);
    // A line break would start another header.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new Failure(`header ${JSON.stringify(name)} cannot be sent: it has odd characters`);
    return [name.toLowerCase(), text] as const;
  });
  return { "user-agent": `anyhook/${VERSION}`, ...Object.fromEntries(written) };
}

const VARIABLE = /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;

const filled = (text: string, allowed: readonly string[], env: NodeJS.ProcessEnv): string =>
  text.replace(VARIABLE, (_, braced: string | undefined, bare: string | undefined) => {
    const name = braced ?? bare ?? "";
    if (!allowed.includes(name)) throw new Failure(`${name} is not in allowed_env`);
    const value = env[name];
    if (value === undefined || value === "") throw new Failure(`${name} is not set`);
    return value;
  });
