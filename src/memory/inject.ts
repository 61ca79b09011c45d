import { existsSync } from "node:fs";
import { packet, pointer } from "./packet.ts";
import type { Place } from "./place.ts";
import { relevant } from "./relevant.ts";
import { withStore, type Say } from "./store.ts";
import { surroundings, trellisPresent } from "./surroundings.ts";

export interface Injection {
  readonly place: Place;
  readonly say: Say;
  /** What the session is about, when that is known. */
  readonly goal?: string;
  /** A person asks: the whole packet, whoever else keeps a memory here. */
  readonly isAsked?: boolean;
}

/** The packet that a session wakes up with; for hooks, for `anyhook inject`, and for whoever has no hooks. */
export async function inject({
  place,
  say,
  goal = "",
  isAsked = false,
}: Injection): Promise<string> {
  const bytes = place.options.packetBytes;
  const isEmpty = !existsSync(place.projectFile) && !existsSync(place.userFile);
  const found = isEmpty
    ? { memories: [], total: 0 }
    : await withStore(place, say, (store) => relevant(store, surroundings(place)));
  const isBeside = trellisPresent(place.cwd) || trellisPresent(place.root);
  return isBeside && !isAsked ? pointer(found.total) : packet({ ...found, goal, bytes });
}
