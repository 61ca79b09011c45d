import { parseArgs } from "node:util";
import { materialize, type Installation } from "../compile/materialize.ts";
import { projectRoot } from "../dispatch/layout.ts";

export async function verbMaterialize(argv: readonly string[], installation: Installation): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      locked: { type: "boolean" },
      quiet: { type: "boolean" },
      root: { type: "string" },
      json: { type: "boolean" },
    },
  });
  const root = values.root ?? projectRoot(process.cwd());
  const { compiled } = await materialize(root, installation, { locked: values.locked ?? false });
  for (const d of compiled.diagnostics)
    process.stderr.write(`${d.file}:${d.line}: ${d.severity}: ${d.message}\n`);
  return 0;
}
