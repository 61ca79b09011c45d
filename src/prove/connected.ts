import type { Adapter } from "../adapters/_contract.ts";
import type { Installation } from "../compile/materialize.ts";
import { Fault } from "../fault.ts";
import { install } from "../install/install.ts";
import { siteOf } from "../install/site.ts";
import type { Stage } from "./stage.ts";

/** Our entries in the stage's home, written by the installer as it would write them in any home. */
export async function connected(
  adapter: Adapter,
  stage: Stage,
  { shell }: Installation,
  observed: readonly string[] = [],
): Promise<void> {
  const env = { HOME: stage.home, PATH: process.env["PATH"] };
  const site = siteOf(env, stage.project, shell);
  const [outcome] = await install(site, [adapter], { scope: "user", observed, trust: true });
  if (outcome?.refusal)
    throw new Fault("not-installed", `${adapter.title}: ${outcome.refusal.message}`);
}
