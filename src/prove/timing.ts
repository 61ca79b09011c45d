import { median } from "./client-proof.ts";
import { session, type Client, type Play } from "./session.ts";
import type { Stage } from "./stage.ts";

/** What hooks cost per tool call, in milliseconds: medians of the same calls in two sessions. */
export interface Timing {
  readonly without: number;
  readonly with: number;
}

const CALLS = 8;
/** Fewer say nothing: the client did not play along. */
const LEAST = 3;

/** Between two requests to the model lies one call, with everything that happens around it. */
export async function timing(
  client: Client,
  stage: () => Stage,
  connect: NonNullable<Play["ready"]>,
  env: NonNullable<Play["env"]> = {},
): Promise<Timing | undefined> {
  const turns = [
    ...Array.from({ length: CALLS }, (_, n) => ({ shell: `echo ${n}` })),
    { text: "Done." },
  ];
  const gaps = async (play: Play): Promise<number | undefined> => {
    const here = stage();
    try {
      const { requests } = await session(client, here, play);
      const at = requests.filter(({ script }) => script === "main").map((one) => one.at);
      // The first dispatch compiles; the client's own first call is slower, too.
      const all = at.slice(2).map((time, i) => time - at[i + 1]!);
      return all.length < LEAST ? undefined : median(all);
    } finally {
      here.clear();
    }
  };
  const without = await gaps({ turns });
  const hooked = without === undefined ? undefined : await gaps({ turns, ready: connect, env });
  return without === undefined || hooked === undefined ? undefined : { without, with: hooked };
}
