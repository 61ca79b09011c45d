import { isAbsolute, join, resolve } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** `~/…`, `${VAR:-~/…}/…` and `/…` as they are; anything else lies below `root`. */
export function expandPlace(place: string, env: Env, root: string): string {
  const text = place.replace(
    /^\$\{([A-Z0-9_]+):-([^}]*)\}/,
    (_, name: string, otherwise: string) => env[name] || otherwise,
  );
  const home = env["HOME"] ?? "";
  const path = text === "~" ? home : text.startsWith("~/") ? join(home, text.slice(2)) : text;
  return isAbsolute(path) ? path : resolve(root, path);
}

/** Whether a place is the user's, and not a project's. */
export const isUserPlace = (place: string): boolean => /^[~$/]/.test(place);
