import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Adapter } from "../../src/adapters/_contract.ts";
import type { Scope } from "../../src/adapters/_settings.ts";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { install, type Outcome } from "../../src/install/install.ts";
import { pathAt, type Site, siteOf } from "../../src/install/site.ts";
import { uninstall } from "../../src/install/uninstall.ts";
import { REPO } from "../_dispatch.ts";

/** A throw-away machine: home, project and store below one temp folder with a difficult name. */
export interface Machine {
  readonly base: string;
  readonly home: string;
  readonly root: string;
  readonly site: Site;
  readonly env: Record<string, string>;
  remove(): void;
}

export function makeMachine(name = `it's a "dev" \\ bo$x ü`): Machine {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-install-")));
  const base = join(top, name);
  const [home, root] = [join(base, "home"), join(base, "project")];
  for (const folder of [home, join(root, ".anyhook"), join(root, "packages/web")])
    mkdirSync(folder, { recursive: true });
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    ANYHOOK_MANAGED_ROOT: join(base, "etc"),
  };
  const site = siteOf(env, root, join(REPO, "shell"));
  return {
    base,
    home,
    root,
    site,
    env,
    remove: () => removeWhole(top),
  };
}

/** What the end of a session has started may still be writing; 30 seconds at most. */
function removeWhole(folder: string): void {
  for (let tries = 0; ; tries++)
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY" || tries > 300) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
}

export const adapterWith = (id: string): Adapter => ADAPTERS.find((one) => one.id === id)!;

export const settingsFile = (adapter: Adapter, site: Site, scope: Scope = "user"): string =>
  pathAt(adapter.settings.files[scope]!, site);

export function put(file: string, content: string | Buffer): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const WISH = { observed: [], trust: false } as const;

export async function installOne(
  adapter: Adapter,
  site: Site,
  scope: Scope = "user",
  wish: { observed?: readonly string[]; trust?: boolean } = {},
): Promise<Outcome> {
  const [outcome] = await install(site, [adapter], { ...WISH, ...wish, scope });
  return outcome!;
}

export async function uninstallOne(
  adapter: Adapter,
  site: Site,
  scope: Scope = "user",
): Promise<Outcome> {
  const [outcome] = await uninstall(site, [{ adapter, site, scope }]);
  return outcome!;
}

/** What a rewrite would change, whatever the content. */
export function traits(file: string): Record<string, unknown> {
  const { ino, mtimeNs, mode } = statSync(file, { bigint: true });
  return { ino, mtimeNs, mode };
}
