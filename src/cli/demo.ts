import { adapterNamed } from "./_surface.ts";
import { layoutOf } from "../dispatch/layout.ts";
import { readLedger } from "../ledger/read.ts";
import { type Answer, type Call, spoken } from "./_call.ts";
import { dispatcher, understood } from "./_dispatcher.ts";
import { ACTORS, type Actor } from "./demo-payloads.ts";
import { broken, type Played, rewind, type Scene, SCENES } from "./demo-scenes.ts";
import { type Stage, stage } from "./demo-stage.ts";
import { ending, opening, sceneText, traceBlock } from "./demo-told.ts";

/** A scripted agent, the real dispatcher, and a check of every answer. */
export async function demo(call: Call): Promise<Answer> {
  const set = stage(call.env);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  try {
    const answer = await play(call, set, AbortSignal.any([stop.signal, call.unread]));
    return stop.signal.aborted ? spoken(130) : answer;
  } finally {
    process.off("SIGINT", interrupt);
    if (!call.flag("keep")) set.clear();
  }
}

/** Ends between two scenes: a dispatcher at work would write into what is being removed. */
async function play(call: Call, set: Stage, over: AbortSignal): Promise<Answer> {
  const began = performance.now();
  const say = (text: string): void => void (call.json || process.stdout.write(`${text}\n`));
  say(opening(call));
  const all: Played[] = [];
  for (const actor of ACTORS) {
    rewind(set);
    say(`\n${call.paint.strong(adapterNamed(actor.harness).title)}`);
    for (const [turn, scene] of SCENES.entries()) {
      if (over.aborted) return spoken(0);
      scene.before?.act(set);
      const played = await playScene(call, set, actor, scene, turn + 1);
      say(sceneText(played, call));
      all.push(played);
    }
  }
  const seconds = (performance.now() - began) / 1000;
  say(traceBlock(all, layoutOf(set.project, set.env), call));
  say(ending(all, set, seconds, call));
  const wrong = all.some((played) => played.broken.length > 0);
  return { exit: wrong ? 1 : 0, json: demoJson(all, set, call), text: "" };
}

async function playScene(
  call: Call,
  set: Stage,
  actor: Actor,
  scene: Scene,
  turn: number,
): Promise<Played> {
  const payload = actor.payload(scene.deed, set.project, turn);
  const adapter = adapterNamed(actor.harness);
  const returned = await dispatcher({
    shell: call.installation.shell,
    adapter,
    event: scene.deed.event,
    payload: JSON.stringify(payload),
    cwd: set.project,
    env: set.env,
  });
  const means = understood(returned);
  const [entry] = readLedger(layoutOf(set.project, set.env).ledger);
  const own = entry?.harness === adapter.id && entry.event === scene.deed.event ? entry : undefined;
  return {
    harness: adapter.id,
    scene,
    returned,
    means,
    entry: own,
    broken: broken(scene.expect, returned, means, own),
  };
}

function demoJson(all: readonly Played[], set: Stage, call: Call): unknown {
  return {
    ok: all.every((played) => played.broken.length === 0),
    project: call.flag("keep") ? set.project : "",
    scenes: all.map(({ harness, scene, returned, means, broken: wrong }) => ({
      ...{
        harness,
        event: scene.deed.event,
        command: scene.deed.command ?? "",
        file: scene.deed.edits ?? "",
      },
      ...{ expected: scene.expect.verdict, verdict: means.verdict, reason: means.reason },
      ...{ exit: returned.exit, ms: returned.ms, ok: wrong.length === 0, broken: wrong },
    })),
  };
}
