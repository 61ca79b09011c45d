import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FILES } from "./demo-files.ts";

/** Where the demo is played: a project, a store and configuration of its own. */
export interface Stage {
  readonly base: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly write: (name: string, text: string) => void;
  readonly remove: (name: string) => void;
  readonly clear: () => void;
}

export function stage(env: NodeJS.ProcessEnv): Stage {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-demo-")));
  const project = join(base, "shop");
  const write = (name: string, text: string): void => {
    const file = join(project, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (text.startsWith("#!")) chmodSync(file, 0o755);
  };
  for (const [name, text] of Object.entries(FILES)) write(name, text);
  return {
    ...{ base, project, write },
    env: ownEnvironment(env, base),
    remove: (name) => rmSync(join(project, name), { force: true }),
    clear: () => rmSync(base, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }),
  };
}

/** Nothing of the person's own hooks takes part, whatever is set around us. */
function ownEnvironment(env: NodeJS.ProcessEnv, base: string): NodeJS.ProcessEnv {
  const foreign = Object.entries(env).filter(
    ([name]) => !/^(ANYHOOK|AH_|CLAUDE_|CODEX_)/.test(name),
  );
  return {
    ...Object.fromEntries(foreign),
    ANYHOOK_HOME: join(base, "state"),
    ANYHOOK_CONFIG_HOME: join(base, "config"),
    ANYHOOK_MANAGED_ROOT: join(base, "managed"),
  };
}
