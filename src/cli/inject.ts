import { inject as packetOf } from "../memory/inject.ts";
import { placeOf } from "../memory/place.ts";
import type { Answer, Call } from "./_call.ts";
import { harmless } from "./_paint.ts";
import { explained } from "./_store-fault.ts";

export async function inject({ from, env }: Call): Promise<Answer> {
  const say = (text: string): void => void process.stderr.write(`anyhook: ${text}\n`);
  const place = placeOf(from, env);
  const packet = await explained(() => packetOf({ place, say, isAsked: true }));
  return { exit: 0, json: { project: place.root, packet }, text: harmless(packet) };
}
