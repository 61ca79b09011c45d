import { median } from "./client-proof.ts";
import { session, type Client, type Play } from "./session.ts";
import type { Stage } from "./stage.ts";

/** What hooks cost per tool call, in milliseconds: medians of the same calls in two sessions. */
export interface Timing {
  readonly without: number;
  readonly with: number;
}

const CALLS = 8;

/** Between two requests to the model lies one call, with everything that happens around it. */
export async function timing(
  client: Client,
  stage: () => Stage,
  connect: NonNullable<Play["ready"]>,
  env: NonNullable<Play["env"]> = {},
): Promise<Timing> {
  const turns = [
    ...Array.from({ length: CALLS }, (_, n) => ({ shell: `echo ${n}` })),
    { text: "Done." },
  ];
  const gaps = async (play: Play): Promise<number> => {
    const here = stage();
    try {
      const { requests } = await session(client, here, play);
      const at = requests.filter(({ script }) => script === "main").map((one) => one.at);
      // The first dispatch compiles; the client's own first call is slower, too.
      return median(at.slice(2).map((time, i) => time - at[i + 1]!));
    } finally {
      here.clear();
    }
  };
  return { without: await gaps({ turns }), with: await gaps({ turns, ready: connect, env }) };
}
