import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ADAPTERS } from "../src/adapters/_all.ts";
import type { NativeHook } from "../src/prove/clients/_driver.ts";
import { median } from "../src/prove/client-proof.ts";
import { clientsHere } from "../src/prove/clients-here.ts";
import { connected } from "../src/prove/connected.ts";
import { session, type Client, type Play } from "../src/prove/session.ts";
import { makeStage, type Stage } from "../src/prove/stage.ts";

/**
 * What ten PreToolUse hooks add to a tool call in the real clients: registered with the client itself,
 * which starts them all at once, and with us, where they run in order; as scripts and as modules. One
 * round after the other, so that a busy machine is busy for all of them. npm run bench:clients
 * [-- harness …]; the clients are those on the search path, or of ANYHOOK_CLIENT_PROGRAMS.
 */
const [HOOKS, CALLS, ROUNDS] = [10, 8, 3];
const root = process.cwd();
const installation = { shell: join(root, "shell"), library: join(root, "dist/index.js") };
const numbers = Array.from({ length: HOOKS }, (_, n) => n);

/** Each hook does the same in both ways: it leaves a mark, so that one that never ran is no fast one. */
interface Variant {
  readonly name: string;
  readonly files: (n: number, mark: string) => Readonly<Record<string, string>>;
  readonly native?: (stage: Stage, n: number) => string;
}

const script = (head: string, mark: string): string =>
  `#!/bin/sh\n${head}cat >/dev/null\n: >'${mark}'\n`;
const marking = (mark: string): string =>
  `import { writeFileSync } from "node:fs";\nconst run = () => writeFileSync(${JSON.stringify(mark)}, "");\n`;
const moduleOf = (n: number, mark: string): string =>
  `import { defineHook } from "anyhook";\n${marking(mark)}export default defineHook({ name: "m${n}", event: "PreToolUse", run });\n`;

const VARIANTS: readonly Variant[] = [
  { name: "none", files: () => ({}) },
  {
    name: "10 sh, native",
    files: (n, mark) => ({ [`bin/${n}.sh`]: script("", mark) }),
    native: ({ base }, n) => join(base, `bin/${n}.sh`),
  },
  {
    name: "10 sh, anyhook",
    files: (n, mark) => ({
      [`project/.anyhook/hooks/s${n}.sh`]: script(`# Hook: s${n}\n# Event: PreToolUse\n`, mark),
    }),
  },
  {
    name: "10 JavaScript, native",
    files: (n, mark) => ({
      [`bin/${n}.mjs`]: `${marking(mark)}process.stdin.resume().on("end", run);\n`,
    }),
    native: ({ base }, n) => `${process.execPath} ${join(base, `bin/${n}.mjs`)}`,
  },
  {
    name: "10 TypeScript, anyhook",
    files: (n, mark) => ({ [`project/.anyhook/hooks/m${n}.ts`]: moduleOf(n, mark) }),
  },
];

const wanted = process.argv.slice(2);
const adapters = ADAPTERS.filter(({ id }) =>
  (wanted.length > 0 ? wanted : ["claude-code", "codex"]).includes(id),
);
for (const { adapter, client, why } of await clientsHere(adapters, process.env)) {
  if (!client) {
    console.log(`${adapter.title}: not run, ${why}`);
    continue;
  }
  const gaps = new Map<Variant, number[]>(VARIANTS.map((variant) => [variant, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const variant of VARIANTS)
      gaps.get(variant)!.push(...(await gapsOf(client, adapter, variant)));
  const none = median(gaps.get(VARIANTS[0]!)!);
  console.log(`${adapter.title} ${client.version}: ms per tool call, median of ${ROUNDS} rounds`);
  console.log("  (anyhook is called after each call as well; the native hooks are not)");
  for (const [{ name }, all] of gaps)
    console.log(`  ${name.padEnd(24)} ${String(median(all)).padStart(5)}   +${median(all) - none}`);
}

async function gapsOf(
  client: Client,
  adapter: (typeof ADAPTERS)[number],
  variant: Variant,
): Promise<number[]> {
  const stage = makeStage();
  try {
    const marks = join(stage.base, "marks");
    mkdirSync(marks);
    for (const n of numbers) stage.write(variant.files(n, join(marks, String(n))));
    const hooks = variant.native
      ? numbers.map((n) => hookOf(adapter, variant.native!(stage, n)))
      : [];
    const isOurs = variant.name.endsWith("anyhook");
    const play: Play = {
      turns: [
        ...Array.from({ length: CALLS }, (_, n) => ({ shell: `echo ${n}` })),
        { text: "Done." },
      ],
      hooks,
      ...(isOurs ? { ready: () => connected(adapter, stage, installation) } : {}),
    };
    const at = (await session(client, stage, play)).requests.map((one) => one.at);
    const ran = readdirSync(marks).length;
    if (at.length !== CALLS + 1 || ran !== (variant.name === "none" ? 0 : HOOKS))
      throw new Error(`${variant.name}: ${at.length - 1} calls, ${ran} hooks ran: not measured`);
    // The first dispatch compiles.
    return at.slice(2).map((time, i) => time - at[i + 1]!);
  } finally {
    stage.clear();
  }
}

function hookOf({ surfaces }: (typeof ADAPTERS)[number], command: string): NativeHook {
  return { event: surfaces.PreToolUse?.native ?? "PreToolUse", command };
}
