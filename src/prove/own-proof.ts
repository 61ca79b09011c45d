import { writeFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import type { Installation } from "../compile/materialize.ts";
import { siteOf, type Site } from "../install/site.ts";
import { readRecord } from "../install/record.ts";
import { carried } from "./carried.ts";
import { connected } from "./connected.ts";
import { copied, type Origin } from "./copied.ts";
import { cast, judged, placed, type Act, type HookProof } from "./own-hooks.ts";
import { isStuck, ran, type Ran } from "./ran.ts";
import { BEFORE } from "./reaching.ts";
import type { Client } from "./session.ts";
import { makeStage, type Stage } from "./stage.ts";
import type { TheirHooks } from "./their-hooks.ts";
import { timing, type Timing } from "./timing.ts";

export interface OwnQuestion {
  readonly origin: Origin;
  readonly installation: Installation;
  readonly site: Site;
  readonly adapter: Adapter;
  readonly client: Client;
  readonly compiled: TheirHooks["compiled"];
  readonly isTimed: boolean;
  readonly progress: (what: string) => void;
}

export interface OwnProof {
  readonly connection: "theirs" | "fresh";
  readonly hooks: readonly HookProof[];
  readonly timing: Timing | undefined;
  /** What the client itself had to say about hooks, when it called nothing. */
  readonly said: readonly string[];
}

/** The person's own hooks in the real client, called by the person's own entries where there are some. */
export async function ownProof(question: OwnQuestion): Promise<OwnProof> {
  const { client, adapter, compiled, progress, isTimed, site } = question;
  const { acts, without } = cast(compiled, client, adapter);
  const proofs: HookProof[] = [...without];
  const said = new Set<string>();
  let evidence: Ran | undefined;
  for (const act of acts) {
    progress(`your hooks, ${act.name}`);
    // What did not even begin once is not waited for again.
    if (!evidence || !isStuck(evidence)) evidence = await played(question, act);
    proofs.push(...judged(act, evidence));
    for (const line of complaintsIn(evidence)) said.add(line);
  }
  const isTiming = isTimed && !(evidence && isStuck(evidence));
  if (isTiming) progress("time per tool call");
  return {
    connection: readRecord(site, adapter.id, "user") ? "theirs" : "fresh",
    ...{ hooks: proofs, said: [...said] },
    timing: isTiming
      ? await timing(
          client,
          () => stageOf(question, []),
          ({ stage }) => connect(question, stage),
          quiet(question),
        )
      : undefined,
  };
}

const played = (question: OwnQuestion, act: Act): Promise<Ran> =>
  ran(question.client, {
    files: act.files,
    stage: () => stageOf(question, act.wants),
    play: (stage) => {
      const ready = (): Promise<void> => connect(question, stage);
      return placed({ ...act.play, ready, env: quiet(question) }, stage.project);
    },
  });

/** Those that ask somebody outside are on the stage as well, and stay silent. */
const quiet = ({ compiled }: OwnQuestion): Record<string, string> => ({
  ANYHOOK_SKIP: compiled.asking.join(","),
});

async function connect(
  { adapter, installation, site, compiled }: OwnQuestion,
  stage: Stage,
): Promise<void> {
  const env = { HOME: stage.home, PATH: process.env["PATH"] };
  if (carried(adapter, site, siteOf(env, stage.project, installation.shell))) return;
  await connected(
    adapter,
    stage,
    installation,
    compiled.hooks.map(({ event }) => event),
  );
}

function stageOf({ origin }: OwnQuestion, wants: readonly string[]): Stage {
  const stage = makeStage();
  copied(origin, stage);
  for (const want of wants) {
    const file = join(stage.project, want);
    if (existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${BEFORE}\n`);
  }
  return stage;
}

const COMPLAINT =
  /hook.*(error|warn|fail|invalid|unknown|expected)|(error|warn|fail|invalid|unknown).*hook/i;
const MOST_COMPLAINTS = 3;

/** Only where nothing arrived: a session with dispatches speaks for itself. */
function complaintsIn({ entries, sessions }: Ran): string[] {
  if (entries.length > 0) return [];
  const lines = sessions.flatMap(({ stderr, stdout }) => `${stderr}\n${stdout}`.split("\n"));
  return lines.filter((line) => COMPLAINT.test(line)).slice(0, MOST_COMPLAINTS);
}
