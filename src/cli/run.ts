import { Fault } from "../fault.ts";
import type { Installation } from "../compile/materialize.ts";
import { verbMaterialize } from "./materialize.ts";

/** CLI exits: 0 ok, 1 problem found, 2 usage, 3 fault, 130 interrupted. */
export async function run(argv: readonly string[], installation: Installation): Promise<number> {
  try {
    if (argv[0] === "materialize") return await verbMaterialize(argv.slice(1), installation);
    return 2;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    process.stderr.write(`anyhook: ${error.message}\n`);
    return 3;
  }
}
